import type { Runtime, RuntimeCapability } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'
import type { Context, UserContext } from '../../context.ts'
import type { MissingPart } from '../../engines/hosting/engine.ts'
import { problem } from '../../problem.ts'
import * as regions from '../regions/regions.service.ts'

/** One sentence for operators. */
const reasons: Record<MissingPart, typeof m.runtime_missing_linux> = {
  not_linux: m.runtime_missing_linux,
  not_root: m.runtime_missing_root,
  no_bubblewrap: m.runtime_missing_bubblewrap,
  no_seccomp: m.runtime_missing_seccomp,
  no_cgroups: m.runtime_missing_cgroups,
  no_namespaces: m.runtime_missing_namespaces,
  no_npm: m.runtime_missing_npm,
  not_started: m.runtime_missing_start,
}

/** What a project in a region can run, in the caller's language. Throws `region_not_found`. */
export async function list(ctx: UserContext, regionId: string): Promise<RuntimeCapability[]> {
  if (!regions.exists(ctx, regionId)) throw problem('region_not_found')
  const capabilities = await ctx.engine.capabilities()
  return capabilities.map(({ id, version, reason }) => ({
    id,
    available: reason === null,
    reason: reason && reasons[reason]({}, { locale: ctx.locale }),
    version,
  }))
}

/** True when a project can run it here. */
export async function isAvailable(
  ctx: Pick<Context, 'engine'>,
  runtime: Runtime,
): Promise<boolean> {
  const capabilities = await ctx.engine.capabilities()
  return capabilities.some(({ id, reason }) => id === runtime && reason === null)
}
