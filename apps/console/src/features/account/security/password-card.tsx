import { changePassword, changePasswordForm } from '@slipway/contract/account-security'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { sessionsQuery } from '../../../api/queries.ts'
import { NewPasswordField } from '../../../forms/password/new-password-field.tsx'
import { passwordTexts } from '../../../forms/password/password-texts.ts'
import { useForm } from '../../../forms/use-form.ts'
import { useProfile } from '../../../shell/session/account-context.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Form, FormActions } from '../../../ui/field/form.tsx'
import { PasswordField } from '../../../ui/field/password-field.tsx'

/** Changes the password, for users who have one. */
export function PasswordCard() {
  const { loginKind } = useProfile()
  const [changeCount, setChangeCount] = useState(0)
  return (
    <Card title={m.account_password()}>
      {loginKind === 'Email' ? (
        <div className="max-w-md">
          {/* A new key empties the form after each change. */}
          <PasswordForm key={changeCount} onChanged={() => setChangeCount(changeCount + 1)} />
        </div>
      ) : (
        <p className="text-muted">{m.account_password_external({ provider: loginKind })}</p>
      )}
    </Card>
  )
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema: changePasswordForm,
    initial: { currentPassword: '', password: '', confirmation: '' },
    async submit({ currentPassword, password }) {
      await call(changePassword, { body: { currentPassword, password } })
      showToast('success', m.account_password_changed())
      await queryClient.invalidateQueries(sessionsQuery)
      onChanged()
    },
  })
  return (
    <Form {...form.props}>
      <PasswordField
        {...form.field('currentPassword')}
        label={m.account_current_password()}
        required
        autoComplete="current-password"
        texts={passwordTexts()}
      />
      <NewPasswordField {...form.field('password')} label={m.auth_new_password()} />
      <PasswordField
        {...form.field('confirmation')}
        label={m.auth_confirm_password()}
        required
        autoComplete="new-password"
        texts={passwordTexts()}
      />
      <p className="text-muted">{m.account_password_effect()}</p>
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.account_change_password()}
        </Button>
      </FormActions>
    </Form>
  )
}
