/** Supported scopes; others are ignored (OpenID Connect Core §3.1.2.1). */
export const scopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** The scope of a request without one: the user's identity, without `offline_access`. */
const defaultScope = 'openid profile email'

/** True when a space-separated scope contains this one. */
export const hasScope = (scope: string, name: string) => scope.split(' ').includes(name)

/** The supported part of a requested scope. */
export const supportedScope = (requested = defaultScope) =>
  scopes.filter((scope) => hasScope(requested, scope)).join(' ')
