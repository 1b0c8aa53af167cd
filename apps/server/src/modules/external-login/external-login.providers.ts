import type { LoginKind } from '@slipway/contract/account'
import type { LoginProvider } from '@slipway/contract/sessions'
import type { Env } from '../../env/env.ts'

/** An outside identity provider that people can sign in with (OpenID Connect). */
export type Provider = {
  provider: 'google'
  name: string
  loginKind: LoginKind
  issuer: string
  clientId: string
  clientSecret: string
  /** Plays the provider on a development machine; nobody's identity is proven. */
  standIn: boolean
}

/** Where the stand-in for Google lives, below the public address. */
export const standInPath = '/stand-in/google'

/**
 * Google when it is configured; on a development machine, one that listens on loopback alone, a
 * stand-in; anywhere else nothing.
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
  if (!env.loopback) return undefined
  return {
    ...common,
    issuer: env.PUBLIC_URL + standInPath,
    clientId: 'slipway',
    // No secret: whoever reaches the stand-in may be anybody there anyway.
    clientSecret: 'stand-in',
    standIn: true,
  }
}

/** The providers that users can sign in with, as the login page names them. */
export const loginProviders = (env: Env): LoginProvider[] =>
  [google(env)].flatMap((provider) =>
    provider ? [{ provider: provider.provider, name: provider.name }] : [],
  )

/** The provider of that name; undefined when users cannot sign in with it. */
export const findProvider = (env: Env, name: string): Provider | undefined =>
  [google(env)].find((provider) => provider?.provider === name)
