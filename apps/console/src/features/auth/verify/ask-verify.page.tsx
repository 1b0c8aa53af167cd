import { sendVerifyEmail } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { sessionToken } from '../../../api/session.ts'
import { signOut } from '../../../api/sign-out.ts'
import { useAction } from '../../../forms/use-action.ts'
import { paths } from '../../../paths.ts'
import { useGoToNextPath, useSearchParam } from '../../../shell/navigation/route-params.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { AuthCard } from '../auth-card.tsx'
import { AuthPanel } from '../auth-panel.tsx'
import { AuthPrompt } from '../auth-prompt.tsx'
import { useSessionGate } from '../session-gate.ts'
import { useSavePostVerifyRedirect } from './post-verify-redirect.ts'
import { useVerificationPoll } from './use-verification-poll.ts'
import { savedVerificationEmail, saveVerificationEmail } from './verification-email.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address that sign-up has just sent the verification email to. */
    verificationEmailTo?: string
  }
}

type Progress =
  | { step: 'not_sent' }
  | { step: 'sent'; to?: string | undefined }
  | { step: 'already_verified' }

const isAlreadyVerified = (error: unknown) =>
  error instanceof ApiError && error.code === 'already_verified'

/** Shown to signed-in users until they verify their account. */
export function Page() {
  const navigate = useNavigate()
  const next = useSearchParam('next')
  const shows = useSessionGate('signed-in', () =>
    navigate({ to: paths.login(), search: { next }, replace: true }),
  )
  return shows ? <AskVerify /> : null
}

function AskVerify() {
  const goToNextPath = useGoToNextPath()
  const next = useSearchParam('next')
  const { verificationEmailTo } = useLocation().state
  const [progress, setProgress] = useState<Progress>(
    verificationEmailTo ? { step: 'sent', to: verificationEmailTo } : { step: 'not_sent' },
  )
  // After the first render, which must equal the prerendered page.
  useLayoutEffect(() => {
    if (verificationEmailTo) return saveVerificationEmail(verificationEmailTo)
    const saved = savedVerificationEmail()
    if (saved) setProgress({ step: 'sent', to: saved.to })
  }, [verificationEmailTo])
  useVerificationPoll(goToNextPath)
  useSavePostVerifyRedirect(next)

  const send = useAction(async () => {
    try {
      await call(sendVerifyEmail, { body: { token: sessionToken() ?? '' } })
      const to = progress.step === 'sent' ? progress.to : undefined
      saveVerificationEmail(to)
      setProgress({ step: 'sent', to })
    } catch (error) {
      if (!isAlreadyVerified(error)) throw error
      setProgress({ step: 'already_verified' })
    }
  })

  if (progress.step === 'already_verified')
    return (
      <AuthCard>
        <Alert kind="success">{m.auth_already_verified()}</Alert>
        <Button variant="primary" onClick={goToNextPath}>
          {next === undefined ? m.auth_continue_to_projects() : m.auth_continue()}
        </Button>
      </AuthCard>
    )

  const sent = progress.step === 'sent' && !send.pending && !send.failure
  return (
    <AuthCard
      panel={<AuthPanel />}
      description={progress.step === 'not_sent' && m.auth_ask_verify_text()}
      footer={
        <AuthPrompt question={m.auth_other_account()}>
          <button type="button" className={linkClass} onClick={signOut}>
            {m.shell_logout()}
          </button>
        </AuthPrompt>
      }
    >
      {sent && (
        <>
          <Alert kind="success">
            {progress.to
              ? m.auth_ask_verify_sent_to({ email: progress.to })
              : m.auth_ask_verify_sent()}
          </Alert>
          <p className="text-muted">{m.auth_ask_verify_hint()}</p>
        </>
      )}
      {send.failure && <Alert kind="failure">{send.failure}</Alert>}
      <Button
        variant={progress.step === 'sent' ? 'secondary' : 'primary'}
        pending={send.pending}
        onClick={send.run}
      >
        {send.pending
          ? m.auth_ask_verify_sending()
          : progress.step === 'sent'
            ? m.auth_ask_verify_again()
            : m.auth_ask_verify_action()}
      </Button>
    </AuthCard>
  )
}
