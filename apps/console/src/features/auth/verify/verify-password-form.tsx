import { ApiError } from '@slipway/contract/client'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { passwordTexts } from '../../../forms/password/password-texts.ts'
import { useForm } from '../../../forms/use-form.ts'
import { paths } from '../../../paths.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { PasswordField } from '../../../ui/field/password-field.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { verifyWith } from './verify-account.ts'

const schema = z.object({ password: login.body.shape.password })

const hasErrorCode = (error: unknown, code: string) =>
  error instanceof ApiError && error.code === code

/**
 * Requests the account's password if the user is not signed in: the link proves access to the
 * mailbox, but another user may have signed up with the address.
 */
export function VerifyPasswordForm({
  token,
  onVerified,
  onRejected,
}: {
  token: string
  onVerified: () => void
  /** Called when the link is no longer valid. */
  onRejected: (error: unknown) => void
}) {
  const navigate = useNavigate()
  const [wrong, setWrong] = useState(false)
  const form = useForm({
    schema,
    initial: { password: '' },
    submit: async ({ password }) => {
      setWrong(false)
      try {
        await verifyWith(token, password)
        onVerified()
      } catch (error) {
        if (hasErrorCode(error, 'invalid_token')) return onRejected(error)
        if (!hasErrorCode(error, 'invalid_credentials')) throw error
        setWrong(true)
      }
    },
  })

  return (
    <>
      <p>{m.auth_verify_password_text()}</p>
      <Form {...form.props}>
        <PasswordField
          {...form.field('password')}
          label={m.auth_password()}
          required
          autoComplete="current-password"
          texts={passwordTexts()}
        />
        {form.failure && <Alert kind="failure">{form.failure}</Alert>}
        {wrong && <Alert kind="failure">{m.auth_verify_wrong_password()}</Alert>}
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.auth_verify_action()}
        </Button>
      </Form>
      <p className="text-muted">
        {m.auth_verify_not_you()}{' '}
        <button
          type="button"
          className={linkClass}
          onClick={() => navigate({ to: paths.resetPassword(), state: { emailToken: token } })}
        >
          {m.auth_verify_set_password()}
        </button>
      </p>
    </>
  )
}
