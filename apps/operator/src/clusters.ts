import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@slipway/contract/client'
import {
  type Cluster,
  type ClusterCheck,
  type ClusterCheckItem,
  type ClusterFinding,
  type ClusterPart,
  type ClusterState,
  changeClusterState,
  getClusterCheck,
  startClusterCheck,
} from '@slipway/contract/clusters'
import { minute, second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { type Column, table } from '@slipway/terminal/table'
import type { Terminal } from '@slipway/terminal/terminal'
import { oneLine } from '@slipway/terminal/text'

/** Longer than the NetworkPolicy check takes with slow image pulls. */
const checkTimeout = 10 * minute

const parts: Record<ClusterPart, (inputs: object, options: { locale: Locale }) => string> = {
  api_server: m.operator_cluster_part_api_server,
  permissions: m.operator_cluster_part_permissions,
  server_side_apply: m.operator_cluster_part_server_side_apply,
  storage: m.operator_cluster_part_storage,
  network_policy: m.operator_cluster_part_network_policy,
  api_access: m.operator_cluster_part_api_access,
  user_namespaces: m.operator_cluster_part_user_namespaces,
  edge: m.operator_cluster_part_edge,
  images: m.operator_cluster_part_images,
}

/** The sentence for each finding, with its remedy. */
const findings: Record<
  ClusterFinding,
  (inputs: { detail: string }, options: { locale: Locale }) => string
> = {
  reachable: m.operator_cluster_reachable,
  unreachable: m.operator_cluster_unreachable,
  permissions_granted: m.operator_cluster_permissions_granted,
  permissions_missing: m.operator_cluster_permissions_missing,
  server_side_apply: m.operator_cluster_server_side_apply,
  no_server_side_apply: m.operator_cluster_no_server_side_apply,
  storage_class: m.operator_cluster_storage_class,
  no_default_storage_class: m.operator_cluster_no_default_storage_class,
  storage_class_missing: m.operator_cluster_storage_class_missing,
  network_policy_enforced: m.operator_cluster_network_policy_enforced,
  network_policy_declared: m.operator_cluster_network_policy_declared,
  programs_trusted: m.operator_cluster_programs_trusted,
  network_policy_not_enforced: m.operator_cluster_network_policy_not_enforced,
  network_policy_not_tried: m.operator_cluster_network_policy_not_tried,
  api_closed: m.operator_cluster_api_closed,
  api_open: m.operator_cluster_api_open,
  user_namespaces_off: m.operator_cluster_user_namespaces_off,
  user_namespaces: m.operator_cluster_user_namespaces,
  user_namespaces_ignored: m.operator_cluster_user_namespaces_ignored,
  no_user_namespaces: m.operator_cluster_no_user_namespaces,
  no_edge: m.operator_cluster_no_edge,
  edge_api: m.operator_cluster_edge_api,
  edge_api_missing: m.operator_cluster_edge_api_missing,
  images_by_digest: m.operator_cluster_images_by_digest,
  images_not_by_digest: m.operator_cluster_images_not_by_digest,
  not_checked: m.operator_cluster_not_checked,
}

/** Starts a check and waits until a worker has finished it. */
export async function checkClusters(call: Client, locale: Locale): Promise<ClusterCheck> {
  try {
    let check = await call(startClusterCheck)
    const deadline = performance.now() + checkTimeout
    while (check.state === 'running') {
      if (performance.now() > deadline)
        throw new CommandError(m.operator_cluster_no_worker({}, { locale }))
      await sleep(second)
      check = await call(getClusterCheck)
    }
    return check
  } catch (error) {
    if (!isApiError(error, 'item_not_found')) throw error
    throw new CommandError(m.operator_cluster_none({}, { locale }), { cause: error })
  }
}

/** True if every cluster can run sites. */
export const hasPassed = ({ items }: ClusterCheck): boolean => items.every(({ passed }) => passed)

/** A line for each part of a cluster; below the cluster's name if there are several clusters. */
export function formatClusterCheck({ items }: ClusterCheck, terminal: Terminal): string[] {
  const names = [...new Set(items.map(({ cluster }) => cluster))]
  return names.flatMap((name) => [
    ...(names.length > 1 ? [terminal.style('bold', name)] : []),
    ...items.filter(({ cluster }) => cluster === name).map((item) => itemLine(item, terminal)),
  ])
}

function itemLine({ part, finding, passed, detail }: ClusterCheckItem, terminal: Terminal) {
  const { locale, style } = terminal
  const mark = passed ? style('dim', '✓') : style('yellow', '✗')
  // Without a detail, some sentences end with a space.
  const sentence = findings[finding]({ detail: oneLine(detail ?? '') }, { locale }).trimEnd()
  return `${mark} ${parts[part]({}, { locale })}: ${sentence}`
}

const states: Record<ClusterState, (inputs: object, options: { locale: Locale }) => string> = {
  open: m.operator_cluster_state_open,
  full: m.operator_cluster_state_full,
  draining: m.operator_cluster_state_draining,
}

export const stateText = (state: ClusterState, locale: Locale): string =>
  states[state]({}, { locale })

/** Changes the state of a cluster. Throws a `CommandError` for an unknown name. */
export async function setClusterState(
  call: Client,
  name: string,
  state: ClusterState,
  locale: Locale,
): Promise<Cluster> {
  try {
    return await call(changeClusterState, { params: { name }, body: { state } })
  } catch (error) {
    if (!isApiError(error, 'item_not_found')) throw error
    throw new CommandError(m.operator_cluster_unknown({ name }, { locale }), { cause: error })
  }
}

/** A table of the clusters: region, state, used capacity, and since when one does not respond. */
export function formatClusterList(clusters: readonly Cluster[], terminal: Terminal): string[] {
  const { locale, columns, style, ago } = terminal
  if (clusters.length === 0) return [m.operator_cluster_none({}, { locale })]
  const layout: Column<Cluster>[] = [
    { title: m.operator_cluster_name_column({}, { locale }), cell: ({ name }) => name },
    {
      title: m.operator_cluster_region_column({}, { locale }),
      cell: ({ regionId }) => regionId ?? m.operator_cluster_every_region({}, { locale }),
    },
    {
      title: m.operator_cluster_state_column({}, { locale }),
      cell: ({ state }) => stateText(state, locale),
      style: (text, { state }) => style(state === 'open' ? 'dim' : 'yellow', text),
    },
    {
      title: m.operator_cluster_projects_column({}, { locale }),
      cell: ({ projects: used, capacity }) =>
        capacity === null ? String(used) : m.operator_cluster_used({ used, capacity }, { locale }),
    },
    {
      title: m.operator_cluster_response_column({}, { locale }),
      cell: ({ unreachableSince }) =>
        unreachableSince === null
          ? m.operator_cluster_responds({}, { locale })
          : m.operator_cluster_down({ time: ago(unreachableSince) }, { locale }),
      style: (text, { unreachableSince }) =>
        style(unreachableSince === null ? 'dim' : 'yellow', text),
    },
  ]
  return table(layout, clusters, { columns, heading: (text) => style('bold', text) })
}
