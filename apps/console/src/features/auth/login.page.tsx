import { ApiError } from '@slipway/contract/client'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../api/client.ts'
import { passwordTexts } from '../../forms/password/password-texts.ts'
import { useForm } from '../../forms/use-form.ts'
import { paths } from '../../paths.ts'
import { LabelLink, TextLink } from '../../shell/navigation/link.tsx'
import { useGoToNextPath, useSearchParam } from '../../shell/navigation/route-params.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/field/form.tsx'
import { PasswordField } from '../../ui/field/password-field.tsx'
import { TextField } from '../../ui/field/text-field.tsx'
import { AuthCard } from './auth-card.tsx'
import { AuthPanel } from './auth-panel.tsx'
import { AuthPrompt } from './auth-prompt.tsx'
import { enteredEmail, useSaveEnteredEmail } from './entered-email.ts'
import { ExternalLoginLinks } from './external-login/external-login-link.tsx'
import { useExternalLoginError } from './external-login/use-external-login-error.ts'
import { invitedEmail } from './invited-email.ts'
import { useSessionGate } from './session-gate.ts'
import { useStartSession } from './use-start-session.ts'

const captchaField = '__captcha_solution__'

const LoginCaptcha = lazy(() => import('./captcha/login-captcha.tsx'))
const ExternalLoginFailure = lazy(() => import('./external-login/external-login-failure.tsx'))

/** Signs in with email and password or an external account. Signed-in users are redirected. */
export function Page() {
  return useSessionGate('guest', useGoToNextPath()) ? <Login /> : null
}

function Login() {
  const next = useSearchParam('next')
  const invited = invitedEmail(next)
  const externalLoginError = useExternalLoginError()
  const startSession = useStartSession()
  /** Failed logins since the service requires a captcha; null while it does not. */
  const [captchaFailures, setCaptchaFailures] = useState<number | null>(null)
  const form = useForm({
    schema: login.body,
    initial: { email: enteredEmail() || (invited ?? ''), password: '', [captchaField]: null },
    submit: async (body) => {
      const { token } = await call(login, { body }).catch((error: unknown) => {
        const needsCaptcha = error instanceof ApiError && captchaField in error.fields
        setCaptchaFailures((count) => (count === null ? (needsCaptcha ? 0 : null) : count + 1))
        throw error
      })
      await startSession(token)
    },
  })
  useSaveEnteredEmail(form.values.email)
  const signUp = (
    <AuthPrompt question={m.auth_no_account()}>
      <TextLink to={paths.signUp()} search={{ next }}>
        {m.auth_sign_up()}
      </TextLink>
    </AuthPrompt>
  )

  return (
    <AuthCard panel={<AuthPanel />} footer={!invited && signUp}>
      {invited && (
        // Most invited users have no account yet.
        <Alert kind="info" actions={signUp}>
          {m.auth_invited({ email: invited })}
        </Alert>
      )}
      {externalLoginError && (
        <Suspense>
          <ExternalLoginFailure code={externalLoginError} />
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
          aside={
            <LabelLink to={paths.forgotPassword()} search={{ next }}>
              {m.auth_forgot_password()}
            </LabelLink>
          }
        />
        {captchaFailures !== null && (
          <Suspense>
            <LoginCaptcha
              onSolution={(solution) => form.set(captchaField, solution)}
              error={form.error(captchaField)}
              failures={captchaFailures}
            />
          </Suspense>
        )}
        {form.failure && <Alert kind="failure">{form.failure}</Alert>}
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.auth_login()}
        </Button>
      </Form>
      <ExternalLoginLinks next={next} />
    </AuthCard>
  )
}
