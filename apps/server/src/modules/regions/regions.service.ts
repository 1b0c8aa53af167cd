import type { Region } from '@slipway/contract/regions'
import type { Context, UserContext } from '../../context.ts'

type Ctx = Pick<Context, 'env'>
type SpeakingCtx = Ctx & Pick<UserContext, 'locale'>

/** The regions of the configuration, in its order, with their names in the caller's language. */
export const all = ({ env, locale }: SpeakingCtx): Region[] =>
  env.REGIONS.map(({ id, names }) => ({ id, name: names[locale] }))

/** Whether the configuration has a region of that id. */
export const exists = (ctx: Ctx, id: string) => ctx.env.REGIONS.some((region) => region.id === id)

/** What a region is called in the caller's language; undefined when the configuration does not have it. */
export const nameOf = (ctx: SpeakingCtx, id: string): string | undefined =>
  ctx.env.REGIONS.find((region) => region.id === id)?.names[ctx.locale]

/** The region's gateway: the host name that a custom domain's CNAME record points to. */
export const gatewayHost = (ctx: Ctx, id: string) => `gateway-${id}.${ctx.env.SITES_DOMAIN}`
