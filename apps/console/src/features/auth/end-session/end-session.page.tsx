import { ApiError } from '@slipway/contract/client'
import type { ResponseOf } from '@slipway/contract/endpoint'
import { checkLogoutRequest } from '@slipway/contract/login-provider'
import { m } from '@slipway/phrases'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { signOut } from '../../../api/sign-out.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { AuthCard } from '../auth-card.tsx'
import { useSignedIn } from '../session-gate.ts'
import { responseUrl } from '../site-sign-in/site-sign-in.ts'

type Logout = ResponseOf<typeof checkLogoutRequest>

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

type LogoutRequest = {
  id_token_hint: string | undefined
  client_id: string | undefined
  post_logout_redirect_uri: string | undefined
}

/** Checks the request of a client. Auth pages have no query client. */
function useLogoutRequest(body: LogoutRequest) {
  const [result, setResult] = useState<{ logout?: Logout; error?: unknown }>({})
  const { id_token_hint, client_id, post_logout_redirect_uri } = body
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    call(
      checkLogoutRequest,
      { body: { id_token_hint, client_id, post_logout_redirect_uri } },
      signal,
    ).then(
      (logout) => setResult({ logout }),
      (error: unknown) => {
        if (!signal.aborted) setResult({ error })
      },
    )
    return () => controller.abort()
  }, [id_token_hint, client_id, post_logout_redirect_uri])
  return result
}

/**
 * Ends the session at the request of a client (OpenID Connect RP-Initiated Logout 1.0). It always
 * requires a confirmation: any website can send a browser here.
 */
export function Page() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { logout, error } = useLogoutRequest({
    id_token_hint: textOf(search.id_token_hint),
    client_id: textOf(search.client_id),
    post_logout_redirect_uri: textOf(search.post_logout_redirect_uri),
  })
  if (error) return <Failure error={error} />
  return logout ? (
    <EndSession logout={logout} state={textOf(search.state)} />
  ) : (
    <AuthCard>
      <Spinner />
    </AuthCard>
  )
}

function EndSession({
  logout: { clientName, redirectUri },
  state,
}: {
  logout: Logout
  state: string | undefined
}) {
  const signedIn = useSignedIn()
  const [isEnding, setIsEnding] = useState(false)
  const response: Record<string, string> = state === undefined ? {} : { state }
  const next = redirectUri === null ? null : responseUrl(redirectUri, response)
  useEffect(() => {
    if (!signedIn && !isEnding && next !== null) location.replace(next)
  }, [signedIn, isEnding, next])

  async function end() {
    setIsEnding(true)
    await signOut()
    setIsEnding(false)
  }

  if (!signedIn)
    return (
      <AuthCard>
        <p role="status">{m.oauth_logged_out()}</p>
        {next === null && (
          <ButtonLink variant="primary" to={paths.login()}>
            {m.auth_login()}
          </ButtonLink>
        )}
      </AuthCard>
    )
  return (
    <AuthCard>
      <p className="wrap-anywhere">
        {clientName === null
          ? m.oauth_logout_question()
          : m.oauth_logout_client({ name: clientName })}
      </p>
      <Button variant="primary" pending={isEnding} onClick={end}>
        {m.shell_logout()}
      </Button>
      <ButtonLink to={paths.home()}>{m.oauth_logout_stay()}</ButtonLink>
    </AuthCard>
  )
}

const Failure = ({ error }: { error: unknown }) => (
  <AuthCard>
    <Alert kind="failure">
      <p className="font-medium">{m.oauth_logout_failed()}</p>
      <p>
        {error instanceof ApiError && error.code === 'invalid_params' && error.context
          ? m.oauth_wrong_parameter({ name: error.context })
          : errorMessage(error)}
      </p>
    </Alert>
    <ButtonLink to={paths.home()}>{m.shell_home()}</ButtonLink>
  </AuthCard>
)
