import type { LoginProvider } from '@slipway/contract/sessions'
import type { Env } from '../../env/env.ts'

/** An outside identity provider: OpenID Connect, or GitHub, which has OAuth 2.0 alone. */
export type Provider = {
  /** Stored with each identity. */
  provider: string
  name: string
  type: 'oidc' | 'github'
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  icon: string
  /** True for the development stand-in, which proves no identity. */
  standIn: boolean
}

/** Path of the stand-in for Google, below the public URL. */
export const standInPath = '/stand-in/google'

const defaultScopes = { oidc: 'openid email profile', github: 'read:user user:email' }

/** A key, for a provider without a picture. */
const keyIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#808080" stroke-width="1.5"><circle cx="5" cy="11" r="3.25"/><path d="M7.5 8.5 14 2m-3 3 2.5 2.5"/></svg>',
)}`

/**
 * Google when it is configured; its stand-in on a development machine; else none.
 */
function google(env: Env): Provider | undefined {
  const common = {
    provider: 'google',
    name: 'Google',
    type: 'oidc',
    scopes: defaultScopes.oidc,
    icon: '/google.svg',
  } as const
  if (env.GOOGLE_CLIENT_ID !== undefined && env.GOOGLE_CLIENT_SECRET !== undefined)
    return {
      ...common,
      issuer: 'https://accounts.google.com',
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
      standIn: false,
    }
  if (!env.standIns || env.LOGIN_PROVIDERS.length > 0) return undefined
  return {
    ...common,
    issuer: env.PUBLIC_URL + standInPath,
    clientId: 'slipway',
    // Not a secret: anyone who reaches the stand-in may sign in as any user.
    clientSecret: 'stand-in',
    standIn: true,
  }
}

/** The offered providers: Google, then those of the settings. */
function providers(env: Env): Provider[] {
  const configured = env.LOGIN_PROVIDERS.map(({ id, scopes, icon, ...provider }) => ({
    ...provider,
    provider: id,
    scopes: scopes ?? defaultScopes[provider.type],
    icon: icon ?? (id === 'google' ? '/google.svg' : keyIcon),
    standIn: false,
  }))
  return [google(env) ?? [], configured].flat()
}

export const loginProviders = (env: Env): LoginProvider[] =>
  providers(env).map(({ provider, name, icon }) => ({ provider, name, icon }))

export const findProvider = (env: Env, id: string): Provider | undefined =>
  providers(env).find(({ provider }) => provider === id)

export const findStandIn = (env: Env): Provider | undefined =>
  providers(env).find(({ standIn }) => standIn)
