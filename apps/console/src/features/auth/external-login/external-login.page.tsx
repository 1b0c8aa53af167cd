import { ApiError } from '@slipway/contract/client'
import { exchangeExternalLogin } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { startSession } from '../../../api/session.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'
import { loginCallback } from '../../../shell/session/login-callback.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { AuthCard } from '../auth-card.tsx'
import { checkExternalLogin, type ExternalLoginReturnError } from './external-login-return.ts'
import { deleteExternalLogin, storedExternalLogins } from './login-state.ts'

const texts: Record<ExternalLoginReturnError, () => string> = {
  state_not_found: () => m.oauth_state_not_found(),
  invalid_state: () => m.oauth_invalid_state(),
  expired_state: () => m.oauth_expired_state(),
  mismatched_state: () => m.oauth_mismatched_state(),
  missing_token_in_query: () => m.oauth_missing_token(),
}

/** The path to continue at, and the failure of a login that failed. */
type Outcome = { failure?: string; next: string | undefined }

let outcome: Promise<Outcome> | undefined

/**
 * Runs once per page load: it consumes the record and the code, and React may run an effect twice.
 */
function completeLogin() {
  outcome ??= exchangeCode()
  return outcome
}

async function exchangeCode(): Promise<Outcome> {
  const query = loginCallback()
  const result = checkExternalLogin(storedExternalLogins(), query, Date.now())
  deleteExternalLogin(query.get('state') ?? '')
  if ('error' in result) return { failure: texts[result.error](), next: result.next }
  const { code, state, next } = result
  try {
    const { token } = await call(exchangeExternalLogin, { body: { code, state } })
    startSession(token)
    return { next }
  } catch (error) {
    const isInvalid = error instanceof ApiError && error.code === 'invalid_token'
    return { failure: isInvalid ? m.oauth_expired() : errorMessage(error), next }
  }
}

/** The redirect target of an external login. */
export function Page() {
  const navigate = useNavigate()
  const [failedLogin, setFailedLogin] = useState<Outcome>()
  useEffect(() => {
    let isShown = true
    void completeLogin().then((result) => {
      if (!isShown) return
      if (result.failure !== undefined) return setFailedLogin(result)
      const href = safeNextPath(result.next, location.origin) ?? paths.home()
      void navigate({ href, replace: true })
    })
    return () => {
      isShown = false
    }
  }, [navigate])

  return (
    <AuthCard>
      {failedLogin ? (
        <>
          <Alert kind="failure">{failedLogin.failure}</Alert>
          <ButtonLink to={paths.login()} search={{ next: failedLogin.next }} variant="primary">
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
