import { forgotPassword } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { Fragment, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useForm } from '../../../forms/use-form.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { AuthCard } from '../auth-card.tsx'
import { AuthPanel } from '../auth-panel.tsx'
import { enteredEmail, useSaveEnteredEmail } from '../entered-email.ts'

const isLimitReached = (error: unknown) =>
  error instanceof ApiError && error.code === 'action_limit_reached'

/** A long address wraps before its @. */
const SentTo = ({ email }: { email: string }) =>
  m
    .auth_forgot_sent({ email })
    .split(/(?=@)/)
    .map((part, index) => (
      <Fragment key={part}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))

/** Requests an email to reset the password. Never reveals whether the account exists. */
export function Page() {
  const next = useSearchParam('next')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [entersOtherEmail, setEntersOtherEmail] = useState(false)
  const [limitReached, setLimitReached] = useState(false)
  const form = useForm({
    schema: forgotPassword.body,
    initial: { email: enteredEmail() },
    submit: async (body) => {
      setLimitReached(false)
      try {
        await call(forgotPassword, { body })
        setSentTo(body.email)
      } catch (error) {
        if (!isLimitReached(error)) throw error
        setLimitReached(true)
      }
    },
  })
  useSaveEnteredEmail(form.values.email)

  function enterOtherEmail() {
    setSentTo(null)
    setLimitReached(false)
    setEntersOtherEmail(true)
  }

  return (
    <AuthCard
      panel={<AuthPanel />}
      description={sentTo ? undefined : m.auth_forgot_text()}
      footer={
        <p>
          <TextLink to={paths.login()} search={{ next }}>
            {m.auth_back_to_login()}
          </TextLink>
        </p>
      }
    >
      <Form {...form.props}>
        {sentTo ? (
          <>
            {!form.pending && !form.failure && !limitReached && (
              <Alert kind="success">
                <SentTo email={sentTo} />
              </Alert>
            )}
            <p className="text-muted">
              {m.auth_forgot_sent_hint()}{' '}
              <button type="button" className={linkClass} onClick={enterOtherEmail}>
                {m.auth_forgot_other_address()}
              </button>
            </p>
          </>
        ) : (
          <TextField
            {...form.field('email')}
            label={m.auth_email()}
            required
            autoFocus={entersOtherEmail}
            type="email"
            autoComplete="username"
            spellCheck={false}
          />
        )}
        {form.failure && <Alert kind="failure">{form.failure}</Alert>}
        {limitReached && (
          <Alert kind="failure">
            {/* In English in every language: the specification says so. */}
            <span lang="en">{m.error_action_limit_reached({}, { locale: 'en' })}</span>
          </Alert>
        )}
        <Button type="submit" variant={sentTo ? 'secondary' : 'primary'} pending={form.pending}>
          {sentTo ? m.auth_ask_verify_again() : m.auth_forgot_action()}
        </Button>
      </Form>
    </AuthCard>
  )
}
