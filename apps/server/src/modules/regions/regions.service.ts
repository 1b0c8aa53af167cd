import type { Region } from '@slipway/contract/regions'
import type { Context } from '../../context.ts'

type Ctx = Pick<Context, 'env'>

/** The regions of the configuration, in its order. */
export const all = (ctx: Ctx): Region[] => ctx.env.REGIONS

/** The region of an id; undefined when the configuration does not have it. */
export const find = (ctx: Ctx, id: string): Region | undefined =>
  ctx.env.REGIONS.find((region) => region.id === id)

/** The region's gateway: the host name that a custom domain's CNAME record points to. */
export const gatewayHost = (ctx: Ctx, id: string) => `gateway-${id}.${ctx.env.SITES_DOMAIN}`
