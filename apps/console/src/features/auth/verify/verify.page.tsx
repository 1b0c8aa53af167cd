import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { errorMessage } from '../../../api/error-message.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { AuthCard } from '../auth-card.tsx'
import { useSignedIn } from '../session-gate.ts'
import { useEmailToken } from '../use-email-token.ts'
import { postVerifyRedirect } from './post-verify-redirect.ts'
import { type VerificationResult, verifyAccount } from './verify-account.ts'
import { VerifyPasswordForm } from './verify-password-form.tsx'

type Outcome = VerificationResult | { error: unknown }

const missingTokenError = () => new ApiError(400, { code: 400, error: 'invalid_params' })

function useVerification(token: string) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round retries
  useEffect(() => {
    let isUnmounted = false
    const settle = (next: Outcome) => {
      if (!isUnmounted) setOutcome(next)
    }
    setOutcome(null)
    const attempt = token ? verifyAccount(token) : Promise.reject(missingTokenError())
    attempt.then(settle, (error: unknown) => settle({ error }))
    return () => {
      isUnmounted = true
    }
  }, [token, round])
  return { outcome, setOutcome, retry: () => setRound((current) => current + 1) }
}

/** The page of the emailed link: verifies automatically if the user is signed in. */
export function Page() {
  const token = useEmailToken()
  const { outcome, setOutcome, retry } = useVerification(token)
  // Read on mount: the tab where the user signed up removes the path once they are verified.
  const [redirectPath, setRedirectPath] = useState<string | null>(null)
  useEffect(() => setRedirectPath(postVerifyRedirect()), [])

  return (
    <AuthCard>
      {outcome === null && (
        <p role="status" className="flex items-center gap-2">
          <Spinner />
          {m.auth_verifying()}
        </p>
      )}
      {outcome === 'password_required' && (
        <VerifyPasswordForm
          token={token}
          onVerified={() => setOutcome('verified')}
          onRejected={(error) => setOutcome({ error })}
        />
      )}
      {outcome === 'verified' && (
        <>
          <Alert kind="success">{m.auth_verified()}</Alert>
          <ContinueLink redirectPath={redirectPath} />
        </>
      )}
      {typeof outcome === 'object' && outcome && <Failure error={outcome.error} retry={retry} />}
    </AuthCard>
  )
}

/** Links to the saved path or the projects; to the login if the user is not signed in. */
function ContinueLink({ redirectPath }: { redirectPath: string | null }) {
  const navigate = useNavigate()
  const signedIn = useSignedIn()
  if (!signedIn)
    return (
      <>
        <p>{m.auth_verified_continue()}</p>
        <ButtonLink
          to={paths.login()}
          search={{ next: redirectPath ?? undefined }}
          variant="primary"
        >
          {m.auth_login()}
        </ButtonLink>
      </>
    )
  if (redirectPath === null)
    return (
      <ButtonLink to={paths.projects()} variant="primary">
        {m.auth_continue_to_projects()}
      </ButtonLink>
    )
  return (
    <Button variant="primary" onClick={() => navigate({ href: redirectPath })}>
      {m.auth_continue()}
    </Button>
  )
}

/** Shows the error with a way forward: a new email if the link is invalid, otherwise a retry. */
function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const isLinkInvalid = error instanceof ApiError && error.status < 429
  return (
    <>
      <Alert kind="failure">
        <p className="font-medium">{m.auth_verify_failed()}</p>
        <p>{errorMessage(error)}</p>
      </Alert>
      {isLinkInvalid ? (
        <ButtonLink to={paths.askVerify()}>{m.auth_verify_new_email()}</ButtonLink>
      ) : (
        <Button onClick={retry}>{m.shell_retry()}</Button>
      )}
    </>
  )
}
