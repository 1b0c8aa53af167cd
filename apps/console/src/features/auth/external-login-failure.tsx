import { type ExternalLoginError, externalLoginErrors } from '@slipway/contract/auth'
import { m } from '@slipway/phrases'
import { Alert } from '../../ui/alert.tsx'

const texts: Record<ExternalLoginError, () => string> = {
  external_login_cancelled: () => m.oauth_cancelled(),
  external_login_failed: () => m.oauth_failed(),
  external_login_expired: () => m.oauth_expired(),
  external_email_not_verified: () => m.oauth_email_not_verified(),
  email_already_exists: () => m.oauth_email_already_exists(),
}

const isKnown = (code: string): code is ExternalLoginError =>
  externalLoginErrors.some((known) => known === code)

/** Why an outside login did not succeed. Of a word that is none of the service's it says nothing. */
export const ExternalLoginFailure = ({ code }: { code: string }) =>
  isKnown(code) && <Alert kind="failure">{texts[code]()}</Alert>
