import { isSignUpEmail } from '@slipway/contract/email'
import { listLoginProviders } from '@slipway/contract/sessions'
import { inviteToTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { signOut } from '../../api/sign-out.ts'
import { paths } from '../../paths.ts'
import { useSearchParam } from '../../shell/navigation/route-params.ts'
import { useProfile } from '../../shell/session/account-context.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

/** The address that the mailed link names; whatever else somebody put there is not shown. */
function useInvitedAddress() {
  const { data, success } = inviteToTeam.body.shape.email.safeParse(useSearchParam('email'))
  return success ? data : null
}

/** The address that the mail which led here went to; null where it is the user's. */
export function useOtherAddress() {
  const email = useInvitedAddress()
  return email === useProfile().email ? null : email
}

/** How whoever has the address can answer: our own sign-up takes fewer addresses than mail reaches. */
function WayIn({ email }: { email: string }) {
  const canSignUp = isSignUpEmail(email)
  const { data: providers } = useQuery({
    queryKey: ['login-providers'],
    queryFn: ({ signal }) => call(listLoginProviders, undefined, signal),
    enabled: !canSignUp,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (canSignUp) return <p>{m.teams_for_other_hint()}</p>
  const [provider] = providers ?? []
  return provider && <p>{m.teams_for_other_hint_provider({ provider: provider.name })}</p>
}

/** Says that the mail that led here went to another address than the user's. */
export function ForOtherAddress({ email }: { email: string }) {
  const { email: own } = useProfile()
  const { href } = useLocation()
  const navigate = useNavigate()

  function logOut() {
    // First: whoever finds the session gone would be sent away from here.
    void navigate({ to: paths.login(), search: { next: href } })
    signOut()
  }

  return (
    <Alert kind="info" actions={<Button onClick={logOut}>{m.teams_for_other_log_out()}</Button>}>
      <p className="font-medium">{m.teams_for_other({ email, own })}</p>
      <WayIn email={email} />
    </Alert>
  )
}
