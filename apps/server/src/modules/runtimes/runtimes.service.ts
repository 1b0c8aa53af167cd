import type { Runtime, RuntimeCapability } from '@slipway/contract/runtimes'
import type { Context, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as regions from '../regions/regions.service.ts'

/** What a project in a region can run, in the caller's language. Throws `region_not_found`. */
export async function list(ctx: UserContext, regionId: string): Promise<RuntimeCapability[]> {
  if (!regions.exists(ctx, regionId)) throw problem('region_not_found')
  return ctx.engine.capabilities().map(({ id, version, reason }) => ({
    id,
    available: reason === null,
    reason: reason?.({}, { locale: ctx.locale }) ?? null,
    version,
  }))
}

/** True when a project can run it here. */
export const isAvailable = (ctx: Pick<Context, 'engine'>, runtime: Runtime): boolean =>
  ctx.engine.capabilities().some(({ id, reason }) => id === runtime && reason === null)
