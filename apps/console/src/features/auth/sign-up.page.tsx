import { signUp } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { call } from '../../api/client.ts'
import { NewPasswordField } from '../../forms/password/new-password-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/navigation/link.tsx'
import { useGoToNextPath, useSearchParam } from '../../shell/navigation/route-params.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/field/form.tsx'
import { TextField } from '../../ui/field/text-field.tsx'
import { AuthCard } from './auth-card.tsx'
import { AuthPanel } from './auth-panel.tsx'
import { AuthPrompt } from './auth-prompt.tsx'
import { CaptchaField } from './captcha/captcha-field.tsx'
import { useCaptcha } from './captcha/use-captcha.ts'
import { enteredEmail, useSaveEnteredEmail } from './entered-email.ts'
import { ExternalLoginLinks } from './external-login/external-login-link.tsx'
import { invitedEmail } from './invited-email.ts'
import { LegalNote } from './legal-note.tsx'
import { useSessionGate } from './session-gate.ts'
import { useStartSession } from './use-start-session.ts'

/**
 * True if the local part has characters that the service does not accept; the form message does
 * not say so.
 */
const hasUnsupportedCharacters = (email: string) => /[^a-z0-9._+-].*@/i.test(email.trim())

const captchaField = '__captcha_solution__'

/** Creates an account after a captcha. The service sends the verification email. */
export function Page() {
  const navigate = useNavigate()
  const next = useSearchParam('next')
  const invited = invitedEmail(next)
  const sentTo = useRef<string>(undefined)
  const goToNextPath = useGoToNextPath()
  const shows = useSessionGate('guest', () => {
    if (!sentTo.current) return goToNextPath()
    return navigate({
      to: paths.askVerify(),
      search: { next },
      state: { verificationEmailTo: sentTo.current },
      replace: true,
    })
  })
  const startSession = useStartSession()
  const form = useForm({
    schema: signUp.body,
    initial: {
      name: '',
      email: enteredEmail() || (invited ?? ''),
      password: '',
      [captchaField]: null,
    },
    errorFields: { email_already_exists: 'email' },
    submit: async (body) => {
      try {
        const { token } = await call(signUp, { body })
        sentTo.current = body.email
        await startSession(token)
      } catch (error) {
        renewCaptcha(error)
        throw error
      }
    },
  })
  useSaveEnteredEmail(form.values.email)
  const captcha = useCaptcha((solution) => form.set(captchaField, solution))

  /** A solution works once. Solves a new one, unless the solution itself was rejected. */
  function renewCaptcha(error: unknown) {
    if (error instanceof ApiError && captchaField in error.fields) captcha.reset()
    else void captcha.start()
  }

  if (!shows) return null
  return (
    <AuthCard
      panel={<AuthPanel />}
      footer={
        <AuthPrompt question={m.auth_have_account()}>
          <TextLink to={paths.login()} search={{ next }}>
            {m.auth_login()}
          </TextLink>
        </AuthPrompt>
      }
    >
      {invited && <Alert kind="info">{m.auth_invited({ email: invited })}</Alert>}
      <Form {...form.props}>
        <TextField {...form.field('name')} label={m.auth_name()} required autoComplete="name" />
        <TextField
          {...form.field('email')}
          label={m.auth_email()}
          required
          type="email"
          autoComplete="username"
          spellCheck={false}
          description={
            form.error('email') &&
            hasUnsupportedCharacters(form.values.email ?? '') &&
            m.form_email_characters()
          }
        />
        <NewPasswordField {...form.field('password')} label={m.auth_password()} />
        <CaptchaField captcha={captcha} error={form.error(captchaField)} />
        {form.failure && <Alert kind="failure">{form.failure}</Alert>}
        <div className="grid gap-3">
          <Button type="submit" variant="primary" pending={form.pending}>
            {m.auth_sign_up()}
          </Button>
          <LegalNote />
        </div>
      </Form>
      <ExternalLoginLinks next={next} />
    </AuthCard>
  )
}
