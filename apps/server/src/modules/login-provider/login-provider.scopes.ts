/** Supported scopes; others are ignored (OpenID Connect Core §3.1.2.1). */
export const scopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** The scope of a request without one: the user's identity, without `offline_access`. */
const defaultScope = 'openid profile email'

export const hasScope = (scope: string, name: string) => scope.split(' ').includes(name)

export const supportedScope = (requested = defaultScope) =>
  scopes.filter((scope) => hasScope(requested, scope)).join(' ')
