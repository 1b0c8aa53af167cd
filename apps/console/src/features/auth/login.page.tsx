import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { lazy, Suspense } from 'react'
import { call } from '../../api/client.ts'
import { useForm } from '../../forms/use-form.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/navigation/link.tsx'
import { useGoToNextPath, useSearchParam } from '../../shell/navigation/route-params.ts'
import { AuthCard } from '../../shell/page/auth-card.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/field/form.tsx'
import { PasswordField } from '../../ui/field/password-field.tsx'
import { TextField } from '../../ui/field/text-field.tsx'
import { AuthPrompt } from './auth-prompt.tsx'
import { typedAddress, useTypedAddress } from './entered-email.ts'
import { ExternalLoginLinks } from './external-login/external-login-link.tsx'
import { useReturnedError } from './external-login/use-external-login-error.ts'
import { invitedAddress } from './invited-email.ts'
import { passwordTexts } from './password/password-texts.ts'
import { useSessionGate } from './session-gate.ts'
import { useSessionStart } from './use-start-session.ts'

const ExternalLoginFailure = lazy(() => import('./external-login/external-login-failure.tsx'))

/** Sign in with e-mail and password, or an outside account. Whoever is signed in goes on to where they wanted to be. */
export function Page() {
  return useSessionGate('guest', useGoToNextPath()) ? <Login /> : null
}

function Login() {
  const next = useSearchParam('next')
  const invited = invitedAddress(next)
  const returnedError = useReturnedError()
  const startSession = useSessionStart()
  const form = useForm({
    schema: login.body,
    initial: { email: typedAddress() || (invited ?? ''), password: '' },
    submit: async (body) => {
      const { token } = await call(login, { body })
      await startSession(token)
    },
  })
  useTypedAddress(form.values.email)
  const signUp = (
    <AuthPrompt question={m.auth_no_account()}>
      <TextLink to={paths.signUp()} search={{ next }}>
        {m.auth_sign_up()}
      </TextLink>
    </AuthPrompt>
  )

  return (
    <AuthCard title={m.auth_login_title()} footer={!invited && signUp}>
      {invited && (
        // Most of those who are invited have no account yet.
        <Alert kind="info" actions={signUp}>
          {m.auth_invited({ email: invited })}
        </Alert>
      )}
      {returnedError && (
        <Suspense>
          <ExternalLoginFailure code={returnedError} />
        </Suspense>
      )}
      <Form {...form.props}>
        <TextField
          {...form.field('email')}
          label={m.auth_email()}
          required
          type="email"
          autoComplete="username"
          spellCheck={false}
        />
        <PasswordField
          {...form.field('password')}
          label={m.auth_password()}
          required
          autoComplete="current-password"
          texts={passwordTexts()}
        />
        {form.failure && <Alert kind="failure">{form.failure}</Alert>}
        <div className="grid gap-3">
          <Button type="submit" variant="primary" pending={form.pending}>
            {m.auth_login()}
          </Button>
          <p className="text-center">
            <TextLink to={paths.forgotPassword()} search={{ next }}>
              {m.auth_forgot_password()}
            </TextLink>
          </p>
        </div>
      </Form>
      <ExternalLoginLinks next={next} />
    </AuthCard>
  )
}
