import { isSignUpEmail } from '@slipway/contract/email'
import { inviteToTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { loginProvidersQuery } from '../../api/queries.ts'
import { signOut } from '../../api/sign-out.ts'
import { paths } from '../../paths.ts'
import { useSearchParam } from '../../shell/navigation/route-params.ts'
import { useProfile } from '../../shell/session/account-context.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

/** The address in the emailed link; null if it is invalid. */
function useInvitedEmail() {
  const { data, success } = inviteToTeam.body.shape.email.safeParse(useSearchParam('email'))
  return success ? data : null
}

/** The address that the email was sent to; null if it is the user's. */
export function useWrongRecipient() {
  const email = useInvitedEmail()
  return email === useProfile().email ? null : email
}

/** How the recipient can respond: sign-up accepts fewer addresses than email does. */
function SignUpHint({ email }: { email: string }) {
  const canSignUp = isSignUpEmail(email)
  const { data: providers } = useQuery({
    ...loginProvidersQuery,
    enabled: !canSignUp,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (canSignUp) return <p>{m.teams_for_other_hint()}</p>
  const [provider] = providers ?? []
  return provider && <p>{m.teams_for_other_hint_provider({ provider: provider.name })}</p>
}

export function WrongRecipientAlert({ email }: { email: string }) {
  const { email: ownEmail } = useProfile()
  const { href } = useLocation()
  const navigate = useNavigate()

  function logOut() {
    // Navigate first: a page without a session would redirect elsewhere.
    void navigate({ to: paths.login(), search: { next: href } })
    signOut()
  }

  return (
    <Alert kind="info" actions={<Button onClick={logOut}>{m.teams_for_other_log_out()}</Button>}>
      <p className="font-medium">{m.teams_for_other({ email, own: ownEmail })}</p>
      <SignUpHint email={email} />
    </Alert>
  )
}
