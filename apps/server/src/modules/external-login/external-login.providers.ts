import type { LoginKind } from '@slipway/contract/account'
import type { LoginProvider } from '@slipway/contract/sessions'
import type { Env } from '../../env/env.ts'

/** An outside identity provider (OpenID Connect). */
export type Provider = {
  provider: 'google'
  name: string
  loginKind: LoginKind
  issuer: string
  clientId: string
  clientSecret: string
  /** True for the development stand-in, which proves no identity. */
  standIn: boolean
}

/** Path of the stand-in for Google, below the public URL. */
export const standInPath = '/stand-in/google'

/**
 * Google when it is configured; its stand-in on a development machine; else none.
 */
export function google(env: Env): Provider | undefined {
  const common = { provider: 'google', name: 'Google', loginKind: 'Google' } as const
  if (env.GOOGLE_CLIENT_ID !== undefined && env.GOOGLE_CLIENT_SECRET !== undefined)
    return {
      ...common,
      issuer: 'https://accounts.google.com',
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
      standIn: false,
    }
  if (!env.standIns) return undefined
  return {
    ...common,
    issuer: env.PUBLIC_URL + standInPath,
    clientId: 'slipway',
    // Not a secret: anyone who reaches the stand-in may sign in as any user.
    clientSecret: 'stand-in',
    standIn: true,
  }
}

/** The offered providers, as the login page shows them. */
export const loginProviders = (env: Env): LoginProvider[] =>
  [google(env)].flatMap((provider) =>
    provider ? [{ provider: provider.provider, name: provider.name }] : [],
  )

/** The offered provider with this name. */
export const findProvider = (env: Env, name: string): Provider | undefined =>
  [google(env)].find((provider) => provider?.provider === name)
