import type { Endpoint } from '@slipway/contract/endpoint'
import { commonErrors, type ErrorCode } from '@slipway/contract/errors'

const accessErrors: Record<Endpoint['access'], readonly ErrorCode[]> = {
  public: [],
  session: ['unauthorized', 'forbidden'],
  user: ['unauthorized', 'user_not_verified', 'forbidden'],
  project: ['unauthorized', 'user_not_verified'],
  projects: ['unauthorized', 'user_not_verified', 'forbidden'],
  token: ['unauthorized', 'user_not_verified', 'forbidden'],
  operator: ['unauthorized', 'user_not_verified', 'forbidden'],
}

/** All errors of an endpoint: its own, the errors of its access and the general ones. */
export const errorsOf = (endpoint: Endpoint): ReadonlySet<ErrorCode> =>
  new Set([...endpoint.errors, ...accessErrors[endpoint.access], endpoint.invalid, ...commonErrors])
