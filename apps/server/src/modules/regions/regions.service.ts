import type { Region } from '@slipway/contract/regions'
import type { Context, UserContext } from '../../context.ts'
import type { Env } from '../../env/env.ts'

type Ctx = Pick<Context, 'env'>
type LocaleCtx = Ctx & Pick<UserContext, 'locale'>

/** The configured regions in order, named in the caller's language. */
export const list = ({ env, locale }: LocaleCtx): Region[] =>
  env.REGIONS.map(({ id, names }) => ({
    id,
    name: names[locale],
    siteUrl: siteUrl(env, '{key}'),
  }))

/** The host of a site without a custom domain. */
export const siteHost = (env: Pick<Env, 'SITES_DOMAIN'>, key: string) =>
  `${key}.${env.SITES_DOMAIN}`

/** The URL of a site without a custom domain, with the gateway's public scheme and port. */
export function siteUrl(env: Pick<Env, 'SITES_DOMAIN' | 'SITES_URL'>, key: string) {
  const { protocol, port } = new URL(env.SITES_URL)
  return `${protocol}//${siteHost(env, key)}${port === '' ? '' : `:${port}`}`
}

/** True when a region with this id is configured. */
export const exists = (ctx: Ctx, id: string) => ctx.env.REGIONS.some((region) => region.id === id)

/** The region's name in the caller's language; undefined when it is not configured. */
export const nameOf = (ctx: LocaleCtx, id: string): string | undefined =>
  ctx.env.REGIONS.find((region) => region.id === id)?.names[ctx.locale]

/** The host name of the region's site gateway, the target of a custom domain's CNAME record. */
export const gatewayHost = (ctx: Ctx, id: string) => `gateway-${id}.${ctx.env.SITES_DOMAIN}`
