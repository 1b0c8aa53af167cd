import type { Runtime, RuntimeCapability } from '@slipway/contract/runtimes'
import { type Locale, m } from '@slipway/phrases'
import type { Context, UserContext } from '../../context.ts'
import type { MissingPart } from '../../engines/hosting/engine.ts'
import { isOperator } from '../../http/operators.ts'
import { problem } from '../../problem.ts'
import { namesOf } from '../clusters/placement.service.ts'
import * as regions from '../regions/regions.service.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.service.ts'

/** The sentence for operators. Other users learn only that the runtime is not available. */
const reasons: Record<MissingPart, typeof m.runtime_missing_linux> = {
  not_linux: m.runtime_missing_linux,
  not_root: m.runtime_missing_root,
  no_bubblewrap: m.runtime_missing_bubblewrap,
  no_seccomp: m.runtime_missing_seccomp,
  no_cgroups: m.runtime_missing_cgroups,
  no_namespaces: m.runtime_missing_namespaces,
  no_npm: m.runtime_missing_npm,
  not_started: m.runtime_missing_start,
  no_php: m.runtime_missing_php,
  no_socat: m.runtime_missing_socat,
  no_php_sqlite: m.runtime_missing_php_sqlite,
  sandbox_off: m.runtime_missing_sandbox_off,
  no_runtime_image: m.runtime_missing_runtime_image,
  no_network_policy: m.runtime_missing_network_policy,
  network_policy_unknown: m.runtime_missing_network_policy_unknown,
  api_server_open: m.runtime_missing_api_server_open,
  not_behind_edge: m.runtime_missing_edge,
}

/** The missing part of a machine, in a sentence for operators. */
export const textOf = (missing: MissingPart, locale: Locale): string =>
  reasons[missing]({}, { locale })

/** The runtimes of this machine or these clusters, each with the phrase about its missing part. */
async function find(ctx: Pick<Context, 'db' | 'engine'>, clusters: readonly string[]) {
  const capabilities = await ctx.engine.capabilities(clusters)
  return Promise.all(
    capabilities.map(async ({ id, version, reason }) => {
      const added = await runtimeVersions.findNewest(ctx.db, id)
      const phrase =
        reason !== null ? reasons[reason] : added === null ? m.runtime_missing_versions : null
      return { id, version: added?.version ?? version, phrase }
    }),
  )
}

/**
 * The runtimes for projects in a region, in the caller's language. Only operators learn which part
 * is missing, and that images could run at all. Throws `region_not_found`.
 */
export async function list(ctx: UserContext, regionId: string): Promise<RuntimeCapability[]> {
  if (!regions.exists(ctx, regionId)) throw problem('region_not_found')
  const available = await find(ctx, namesOf(ctx.env, regionId))
  const noImages = { id: 'image' as const, version: null, phrase: m.runtime_missing_kubernetes }
  const all = available.some(({ id }) => id === 'image') ? available : [...available, noImages]
  const isForOperator = isOperator(ctx.env, ctx.user)
  return all
    .filter(({ id, phrase }) => isForOperator || id !== 'image' || phrase === null)
    .map(({ id, version, phrase }) => {
      if (phrase === null) return { id, available: true, reason: null, version }
      const reason = isForOperator ? phrase : m.runtime_not_available
      return { id, available: false, reason: reason({}, { locale: ctx.locale }), version: null }
    })
}

/** The clusters among these in which a project can use the runtime. */
export async function clustersFor(
  ctx: Pick<Context, 'db' | 'engine'>,
  runtime: Runtime,
  clusters: readonly string[],
): Promise<string[]> {
  if ((await runtimeVersions.findNewest(ctx.db, runtime)) === null) return []
  const capabilities = await Promise.all(clusters.map((name) => ctx.engine.capabilities([name])))
  const isAble = (index: number) =>
    capabilities[index]?.some(({ id, reason }) => id === runtime && reason === null)
  return clusters.filter((_, index) => isAble(index))
}

/** True when a project of this cluster can use the runtime. */
export const isAvailable = async (
  ctx: Pick<Context, 'db' | 'engine'>,
  runtime: Runtime,
  cluster: string,
): Promise<boolean> => (await clustersFor(ctx, runtime, [cluster])).length > 0
