import type { Region } from '@slipway/contract/regions'
import type { Context, UserContext } from '../../context.ts'

type Ctx = Pick<Context, 'env'>
type LocaleCtx = Ctx & Pick<UserContext, 'locale'>

/** The configured regions in order, named in the caller's language. */
export const list = ({ env, locale }: LocaleCtx): Region[] =>
  env.REGIONS.map(({ id, names }) => ({ id, name: names[locale] }))

/** True when a region with this id is configured. */
export const exists = (ctx: Ctx, id: string) => ctx.env.REGIONS.some((region) => region.id === id)

/** The region's name in the caller's language; undefined when it is not configured. */
export const nameOf = (ctx: LocaleCtx, id: string): string | undefined =>
  ctx.env.REGIONS.find((region) => region.id === id)?.names[ctx.locale]

/** The host name of the region's site gateway, the target of a custom domain's CNAME record. */
export const gatewayHost = (ctx: Ctx, id: string) => `gateway-${id}.${ctx.env.SITES_DOMAIN}`
