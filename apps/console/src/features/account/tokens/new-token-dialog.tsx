import {
  createPersonalToken,
  defaultPersonalTokenLifetime,
} from '@slipway/contract/personal-tokens'
import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { personalTokensQuery } from '../../../api/queries.ts'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { SecretOnceDialog } from '../../../shell/page/secret-once.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { LifetimeField, ProjectChoice, useInitialChoice } from './grant-fields.tsx'

function NewTokenForm({
  onCreated,
  onCancel,
}: {
  onCreated: (token: string) => void
  onCancel: () => void
}) {
  const queryClient = useQueryClient()
  const projectIds = useInitialChoice()
  const form = useForm({
    schema: createPersonalToken.body,
    initial: { name: '', projectIds, days: defaultPersonalTokenLifetime },
    async submit(body) {
      const { token } = await call(createPersonalToken, { body })
      void queryClient.invalidateQueries(personalTokensQuery)
      onCreated(token)
    },
  })
  return (
    <Form {...form.props}>
      <TextField
        {...form.field('name')}
        label={m.account_name()}
        description={m.tokens_name_hint()}
        required
        autoComplete="off"
      />
      <ProjectChoice
        value={form.values.projectIds as ProjectId[] | null}
        error={form.error('projectIds')}
        onChange={(ids) => form.set('projectIds', ids)}
      />
      <LifetimeField
        value={form.values.days ?? defaultPersonalTokenLifetime}
        onChange={(days) => form.set('days', days)}
      />
      <DialogActions action={form} submit={m.tokens_create()} onCancel={onCancel} />
    </Form>
  )
}

/** Creates a token, and shows it. It cannot be shown again. */
export function NewTokenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [token, setToken] = useState<string | null>(null)
  function close() {
    onClose()
    setToken(null)
  }
  return (
    <Dialog
      open={open}
      title={token === null ? m.tokens_create_title() : m.tokens_created_title()}
      // A click outside would lose the token.
      changed
      closeLabel={m.shell_close()}
      onClose={close}
    >
      {token === null ? (
        <NewTokenForm onCreated={setToken} onCancel={close} />
      ) : (
        <SecretOnceDialog
          secret={token}
          hint={m.tokens_shown_once()}
          copyLabel={m.tokens_copy()}
          done={m.tokens_done()}
          onDone={close}
        />
      )}
    </Dialog>
  )
}
