import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@slipway/contract/client'
import {
  type ClusterCheck,
  type ClusterCheckItem,
  type ClusterFinding,
  type ClusterPart,
  getClusterCheck,
  startClusterCheck,
} from '@slipway/contract/clusters'
import { minute, second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import type { Terminal } from '@slipway/terminal/terminal'
import { oneLine } from '@slipway/terminal/text'

/** Longer than the trial of NetworkPolicy with images that are pulled slowly. */
const longestCheck = 10 * minute

const parts: Record<ClusterPart, (inputs: object, options: { locale: Locale }) => string> = {
  api_server: m.operator_cluster_part_api_server,
  permissions: m.operator_cluster_part_permissions,
  server_side_apply: m.operator_cluster_part_server_side_apply,
  storage: m.operator_cluster_part_storage,
  network_policy: m.operator_cluster_part_network_policy,
  images: m.operator_cluster_part_images,
}

/** What was found, and what to do about it. */
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
  images_by_digest: m.operator_cluster_images_by_digest,
  images_not_by_digest: m.operator_cluster_images_not_by_digest,
  not_checked: m.operator_cluster_not_checked,
}

/** Starts a check and waits until a worker has finished it. */
export async function checkCluster(call: Client, locale: Locale): Promise<ClusterCheck> {
  try {
    let check = await call(startClusterCheck)
    const deadline = performance.now() + longestCheck
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

/** True when nothing keeps the cluster from running sites. */
export const hasPassed = ({ items }: ClusterCheck): boolean => items.every(({ passed }) => passed)

/** A line for each part of the cluster. */
export const clusterScreen = ({ items }: ClusterCheck, terminal: Terminal): string[] =>
  items.map((item) => itemLine(item, terminal))

function itemLine({ part, finding, passed, detail }: ClusterCheckItem, terminal: Terminal) {
  const { locale, style } = terminal
  const mark = passed ? style('dim', '✓') : style('yellow', '✗')
  // Without a detail, some sentences end with a space.
  const sentence = findings[finding]({ detail: oneLine(detail ?? '') }, { locale }).trimEnd()
  return `${mark} ${parts[part]({}, { locale })}: ${sentence}`
}
