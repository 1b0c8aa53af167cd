import { resetPassword, resetPasswordForm } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { deleteSession } from '../../../api/session.ts'
import { NewPasswordField } from '../../../forms/password/new-password-field.tsx'
import { passwordTexts } from '../../../forms/password/password-texts.ts'
import { useForm } from '../../../forms/use-form.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink, TextLink } from '../../../shell/navigation/link.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { PasswordField } from '../../../ui/field/password-field.tsx'
import { AuthCard } from '../auth-card.tsx'
import { AuthPanel } from '../auth-panel.tsx'
import { useEmailToken } from '../use-email-token.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The password was changed with this link; survives a reload. */
    passwordChanged?: boolean
  }
}

type Outcome = 'done' | 'invalid_token'

const isInvalidToken = (error: unknown) =>
  error instanceof ApiError && (error.code === 'invalid_token' || 'token' in error.fields)

export function Page() {
  const token = useEmailToken()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const [submitOutcome, setSubmitOutcome] = useState<Outcome | null>(null)
  const outcome = state.passwordChanged ? 'done' : submitOutcome

  function onOutcome(newOutcome: Outcome) {
    setSubmitOutcome(newOutcome)
    if (newOutcome === 'done')
      void navigate({ to: pathname, state: { passwordChanged: true }, replace: true })
  }

  return (
    <AuthCard
      panel={<AuthPanel />}
      footer={
        outcome !== 'done' && (
          <p>
            <TextLink to={paths.login()}>{m.auth_back_to_login()}</TextLink>
          </p>
        )
      }
    >
      {outcome === 'done' ? (
        <>
          <Alert kind="success">{m.auth_reset_done()}</Alert>
          <ButtonLink to={paths.login()} variant="primary">
            {m.auth_login()}
          </ButtonLink>
        </>
      ) : token === '' ? (
        <InvalidLink title={m.auth_reset_no_token()} hint={m.auth_reset_no_token_hint()} />
      ) : outcome === 'invalid_token' ? (
        <InvalidLink title={m.auth_reset_invalid()} />
      ) : (
        <ResetForm token={token} onOutcome={onOutcome} />
      )}
    </AuthCard>
  )
}

const InvalidLink = ({ title, hint }: { title: string; hint?: string }) => (
  <>
    <Alert kind="failure">{title}</Alert>
    {hint && <p className="text-muted">{hint}</p>}
    <ButtonLink to={paths.forgotPassword()}>{m.auth_request_new_link()}</ButtonLink>
  </>
)

function ResetForm({ token, onOutcome }: { token: string; onOutcome: (outcome: Outcome) => void }) {
  const form = useForm({
    schema: resetPasswordForm,
    initial: { password: '', confirmation: '' },
    submit: async ({ password }) => {
      try {
        await call(resetPassword, { body: { password, token } })
        // The service ended all sessions of the account, including the one stored here.
        deleteSession()
        onOutcome('done')
      } catch (error) {
        if (!isInvalidToken(error)) throw error
        onOutcome('invalid_token')
      }
    },
  })

  return (
    <Form {...form.props}>
      <NewPasswordField {...form.field('password')} label={m.auth_new_password()} />
      <PasswordField
        {...form.field('confirmation')}
        label={m.auth_confirm_password()}
        required
        autoComplete="new-password"
        texts={passwordTexts()}
      />
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <Button type="submit" variant="primary" pending={form.pending}>
        {m.auth_reset_action()}
      </Button>
    </Form>
  )
}
