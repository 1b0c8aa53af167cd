import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import { Counter } from 'prom-client'
import type { RequestContext } from './context.ts'

/**
 * The `event` of a log line, for alerts. The names are stable, and listed in
 * `docs/operations.md`.
 */
const messages = {
  sign_up: 'a user signed up',
  login: 'a user logged in',
  login_failed: 'a login failed',
  lockout: 'logins to an account need a captcha',
  logout: 'a user logged out',
  session_ended: 'a user ended other sessions',
  password_reset_requested: 'a link to set a new password was requested',
  password_changed: 'a password was changed',
  personal_token_created: 'a personal token was created',
  personal_token_revoked: 'a personal token was revoked',
  device_login_approved: 'the login of a program was approved',
  device_login_denied: 'the login of a program was denied',
  sign_in_client_created: 'a client of the login provider was created',
  sign_in_client_deleted: 'a client of the login provider was deleted',
  client_secret_created: 'a client secret was created',
  client_secret_revoked: 'a client secret was revoked',
  registry_set: 'the credentials of a registry were set',
  registry_deleted: 'the credentials of a registry were deleted',
  refresh_token_reused: 'a refresh token was used again, which ended its grant',
  account_verified: 'an account was verified',
  operator_call: 'an operator made a call',
  operator_call_rejected: 'a user who is no operator made an operator’s call',
}
export type SecurityEvent = keyof typeof messages

const events = new Counter({
  name: 'slipway_security_events_total',
  help: 'Events of the log that an attack would repeat, such as failed logins.',
  labelNames: ['event'],
})
// An alert on a rate needs the zero before the first event.
for (const event of Object.keys(messages)) events.inc({ event }, 0)

/**
 * Logs and counts a security event with the caller's address. The other fields have no secrets, and
 * no text that a caller typed: a password may be typed as an email address.
 */
export const logSecurityEvent = (
  ctx: Pick<RequestContext, 'log' | 'address'>,
  event: SecurityEvent,
  fields: {
    userId?: UserId | undefined
    projectId?: ProjectId
    reason?: string
    endpoint?: string
    provider?: string
  },
) => {
  events.inc({ event })
  ctx.log.info({ event, address: ctx.address, ...fields }, messages[event])
}
