import { m } from '@slipway/phrases'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { startSession } from '../../../api/session.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'
import { AuthCard } from '../../../shell/page/auth-card.tsx'
import { loginCallback } from '../../../shell/session/login-callback.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { endUnusedSession } from '../unused-session.ts'
import {
  checkExternalLogin,
  type ExternalLoginResult,
  type ExternalLoginReturnError,
} from './external-login-return.ts'
import { forgetExternalLogin, storedExternalLogins } from './login-state.ts'

const texts: Record<ExternalLoginReturnError, () => string> = {
  state_not_found: () => m.oauth_state_not_found(),
  invalid_state: () => m.oauth_invalid_state(),
  expired_state: () => m.oauth_expired_state(),
  mismatched_state: () => m.oauth_mismatched_state(),
  missing_token_in_query: () => m.oauth_missing_token(),
}

let outcome: ExternalLoginResult | undefined

/** Runs once per page load: it consumes the record, and React may run an effect twice. */
function completeLogin() {
  if (outcome) return outcome
  const query = loginCallback()
  outcome = checkExternalLogin(storedExternalLogins(), query, Date.now())
  forgetExternalLogin(query.get('state') ?? '')
  if ('token' in outcome) startSession(outcome.token)
  else endUnusedSession(query.get('token') ?? '')
  return outcome
}

/** The redirect target of an external login. */
export function Page() {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<{
    error: ExternalLoginReturnError
    next?: string | undefined
  }>()
  useEffect(() => {
    const result = completeLogin()
    if ('error' in result) return setFailure(result)
    const href = safeNextPath(result.next, location.origin) ?? paths.home()
    void navigate({ href, replace: true })
  }, [navigate])

  return (
    <AuthCard>
      {failure ? (
        <>
          <Alert kind="failure">{texts[failure.error]()}</Alert>
          <ButtonLink to={paths.login()} search={{ next: failure.next }} variant="primary">
            {m.auth_back_to_login()}
          </ButtonLink>
        </>
      ) : (
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner />
          {m.oauth_signing_in()}
        </p>
      )}
    </AuthCard>
  )
}
