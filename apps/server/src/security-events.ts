import type { UserId } from '@slipway/contract/account'
import type { RequestContext } from './context.ts'

/**
 * What an alert may count: the `event` of a log line. The names are stable. `docs/operations.md`
 * lists them.
 */
const messages = {
  sign_up: 'a user signed up',
  login: 'a user logged in',
  login_failed: 'a login failed',
  lockout: 'logins to an account need a captcha',
  logout: 'a user logged out',
  password_reset_requested: 'a link to set a new password was requested',
  password_changed: 'a password was changed',
  personal_token_created: 'a personal token was created',
  personal_token_revoked: 'a personal token was revoked',
  device_login_approved: 'the login of a program was approved',
  device_login_denied: 'the login of a program was denied',
  account_verified: 'an account was verified',
  operator_call: 'an operator made a call',
  operator_call_rejected: 'a user who is no operator made an operator’s call',
}
export type SecurityEvent = keyof typeof messages

/**
 * Logs a security event with the caller's address. The other fields have no secrets, and no text
 * that a caller typed: a password may be typed as an email address.
 */
export const logSecurityEvent = (
  ctx: Pick<RequestContext, 'log' | 'address'>,
  event: SecurityEvent,
  fields: { userId?: UserId | undefined; reason?: string; endpoint?: string; provider?: string },
) => ctx.log.info({ event, address: ctx.address, ...fields }, messages[event])
