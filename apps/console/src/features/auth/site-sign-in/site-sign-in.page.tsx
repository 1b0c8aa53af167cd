import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { errorMessage } from '../../../api/error-message.ts'
import { signOut } from '../../../api/sign-out.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { nextPathOf } from '../../../shell/navigation/next-path.ts'
import { AuthCard } from '../../../shell/page/auth-card.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { linkClass } from '../../../ui/external-link.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { AuthPrompt } from '../auth-prompt.tsx'
import { useSessionGate } from '../session-gate.ts'
import { readSiteSignIn, type SiteSignIn } from './site-sign-in.ts'
import { useSiteSignIn } from './use-site-sign-in.ts'

/** Signs the user in to a hosted site: redirects to it with an authorization code. */
export function Page() {
  const signIn = readSiteSignIn(useSearch({ strict: false }))
  if (!('invalidParameter' in signIn)) return <SignIn signIn={signIn} />
  const error = new ApiError(400, {
    code: 400,
    error: 'invalid_params',
    context: signIn.invalidParameter,
  })
  return <Failure error={error} />
}

function SignIn({ signIn }: { signIn: SiteSignIn }) {
  const navigate = useNavigate()
  const location = useLocation()
  const signedIn = useSessionGate('signed-in', () =>
    navigate({ to: paths.login(), search: { next: nextPathOf(location) }, replace: true }),
  )
  const { error, retry } = useSiteSignIn(signIn, signedIn)
  if (!signedIn) return null
  if (error !== null)
    return <Failure error={error} projectKey={signIn.request.client_id} retry={retry} />
  return (
    <AuthCard>
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        <span className="min-w-0 wrap-anywhere">
          {m.oauth_signing_in_to({ host: new URL(signIn.request.redirect_uri).host })}
        </span>
      </p>
    </AuthCard>
  )
}

function reasonOf(error: unknown, projectKey: string | undefined) {
  if (!(error instanceof ApiError)) return errorMessage(error)
  if (error.code === 'project_not_found' && projectKey !== undefined)
    return m.projects_missing({ key: projectKey })
  if (error.code === 'invalid_params' && error.context)
    return m.oauth_wrong_parameter({ name: error.context })
  return errorMessage(error)
}

/** Does not redirect: when the request is invalid, its redirect URI may be too. */
function Failure({
  error,
  projectKey,
  retry,
}: {
  error: unknown
  projectKey?: string
  retry?: () => void
}) {
  const isMissing = error instanceof ApiError && error.code === 'project_not_found'
  const mayPass = !(error instanceof ApiError) || error.status >= 429
  return (
    <AuthCard
      footer={
        isMissing && (
          <AuthPrompt question={m.auth_other_account()}>
            <button type="button" className={linkClass} onClick={signOut}>
              {m.shell_logout()}
            </button>
          </AuthPrompt>
        )
      }
    >
      <Alert kind="failure">
        <p className="font-medium">{m.oauth_code_failed()}</p>
        <p>{reasonOf(error, projectKey)}</p>
        {isMissing && <p>{m.oauth_not_a_member()}</p>}
      </Alert>
      {retry && mayPass && (
        <Button variant="primary" onClick={retry}>
          {m.shell_retry()}
        </Button>
      )}
      <ButtonLink to={paths.home()}>{m.shell_home()}</ButtonLink>
    </AuthCard>
  )
}
