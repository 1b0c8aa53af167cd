import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { errorMessage } from '../../../api/error-message.ts'
import { deleteSession } from '../../../api/session.ts'
import { signOut } from '../../../api/sign-out.ts'
import { paths } from '../../../paths.ts'
import { stringifySearch } from '../../../search-parameters.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { AuthCard } from '../auth-card.tsx'
import { AuthPrompt } from '../auth-prompt.tsx'
import { useSignedIn } from '../session-gate.ts'
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
  const { request } = signIn
  const goToLogin = (loginTicket: string) => {
    // Only these requests depend on when the user logged in.
    const needsTicket = request.prompt !== undefined || request.max_age !== undefined
    const search = needsTicket ? { ...location.search, login_ticket: loginTicket } : location.search
    const next = location.pathname + stringifySearch(search)
    navigate({ to: paths.login(), search: { next }, replace: true })
  }
  const { step, confirm, cancel, retry } = useSiteSignIn(signIn, useSignedIn(), goToLogin)
  const { host } = new URL(request.redirect_uri)
  if (step.kind === 'failed')
    return <Failure error={step.error} projectKey={request.client_id} retry={retry} />
  if (step.kind === 'confirm')
    return (
      <Confirmation
        text={m.oauth_confirm({ name: step.check.clientName, email: step.email })}
        action={m.oauth_continue_to({ host })}
        onConfirm={confirm}
        onOtherAccount={deleteSession}
        onCancel={() => cancel(step.check)}
      />
    )
  if (step.kind === 'login-again')
    return (
      <AuthCard>
        <p className="wrap-anywhere">{m.oauth_login_again({ host })}</p>
        <Button variant="primary" onClick={deleteSession}>
          {m.oauth_login_again_action()}
        </Button>
      </AuthCard>
    )
  return (
    <AuthCard>
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        <span className="min-w-0 wrap-anywhere">{m.oauth_signing_in_to({ host })}</span>
      </p>
    </AuthCard>
  )
}

/** The choice of the account, if the client requests it by `prompt`. */
function Confirmation({
  text,
  action,
  onConfirm,
  onOtherAccount,
  onCancel,
}: {
  text: string
  action: string
  onConfirm: () => void
  onOtherAccount: () => void
  onCancel: () => void
}) {
  return (
    <AuthCard
      footer={
        <button type="button" className={linkClass} onClick={onOtherAccount}>
          {m.oauth_other_account()}
        </button>
      }
    >
      <p className="wrap-anywhere">{text}</p>
      <Button variant="primary" onClick={onConfirm}>
        <span className="truncate">{action}</span>
      </Button>
      <Button onClick={onCancel}>{m.oauth_cancel()}</Button>
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

/** Does not redirect: the redirect URI is invalid, or the user can solve the problem here. */
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
  const isTemporary = !(error instanceof ApiError) || error.status >= 429
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
      {retry && isTemporary && (
        <Button variant="primary" onClick={retry}>
          {m.shell_retry()}
        </Button>
      )}
      <ButtonLink to={paths.home()}>{m.shell_home()}</ButtonLink>
    </AuthCard>
  )
}
