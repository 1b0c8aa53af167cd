import { type ExternalLoginError, externalLoginErrors } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { Alert } from '../../../ui/alert.tsx'

const texts: Record<ExternalLoginError, () => string> = {
  external_login_cancelled: () => m.oauth_cancelled(),
  external_login_failed: () => m.oauth_failed(),
  external_login_expired: () => m.oauth_expired(),
  external_email_not_verified: () => m.oauth_email_not_verified(),
  external_email_not_supported: () => m.oauth_email_not_supported(),
  external_email_in_use: () => m.oauth_email_in_use(),
  email_already_exists: () => m.oauth_email_already_exists(),
}

const isKnown = (code: string): code is ExternalLoginError =>
  externalLoginErrors.some((known) => known === code)

/**
 * Explains why an external login failed, with a link where more than a retry helps. Renders
 * nothing for unknown codes.
 */
export default function ExternalLoginFailure({ code }: { code: string }) {
  if (!isKnown(code)) return null
  return (
    <Alert
      kind="failure"
      actions={
        code === 'email_already_exists' && (
          <TextLink to={paths.forgotPassword()}>{m.oauth_set_password()}</TextLink>
        )
      }
    >
      {texts[code]()}
    </Alert>
  )
}
