import { singleLineText } from '@slipway/contract/field-schemas'
import type { Project } from '@slipway/contract/projects'
import {
  createSignInClient,
  type SignInClient,
  type SigningAlgorithm,
  signingAlgorithms,
  updateSignInClient,
} from '@slipway/contract/sign-in-clients'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../../../api/client.ts'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { SecretOnceDialog } from '../../../shell/page/secret-once.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { SelectField } from '../../../ui/field/select-field.tsx'
import { TextAreaField } from '../../../ui/field/text-area-field.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { signInClientsQuery } from './settings-queries.ts'

/** Addresses are typed one per line; the server checks them. */
const schema = z.object({
  name: singleLineText('form_enter_name', 1),
  kind: z.enum(['confidential', 'public']),
  redirectUris: z.string().check(z.trim(), z.minLength(1, 'form_enter_redirect_address')),
  logoutRedirectUris: z.string(),
  algorithm: z.enum(signingAlgorithms),
})

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

function ClientForm({
  project,
  client,
  origins,
  onDone,
  onCancel,
}: {
  project: Project
  client: SignInClient | null
  origins: readonly string[]
  onDone: (secret: string | null) => void
  onCancel: () => void
}) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema,
    initial: {
      name: client?.name ?? '',
      kind: client?.isPublic ? 'public' : 'confidential',
      redirectUris: client?.redirectUris.join('\n') ?? '',
      logoutRedirectUris: client?.logoutRedirectUris.join('\n') ?? '',
      algorithm: client?.algorithm ?? 'RS256',
    },
    async submit({ kind, ...values }) {
      const body = {
        ...values,
        redirectUris: linesOf(values.redirectUris),
        logoutRedirectUris: linesOf(values.logoutRedirectUris),
      }
      const { id } = project
      let secret: string | null = null
      if (client) await call(updateSignInClient, { params: { id, clientId: client.id }, body })
      else {
        const isPublic = kind === 'public'
        const created = await call(createSignInClient, {
          params: { id },
          body: { ...body, isPublic },
        })
        secret = created.secret
      }
      void queryClient.invalidateQueries(signInClientsQuery(id))
      onDone(secret)
    },
  })
  return (
    <Form {...form.props}>
      <TextField
        {...form.field('name')}
        label={m.account_name()}
        description={m.clients_name_hint()}
        required
        autoComplete="off"
      />
      {!client && (
        <SelectField
          name="kind"
          value={form.values.kind ?? 'confidential'}
          label={m.clients_kind()}
          options={[
            { value: 'confidential', label: m.clients_confidential() },
            { value: 'public', label: m.clients_public() },
          ]}
          onChange={(kind) => form.set('kind', kind === 'public' ? 'public' : 'confidential')}
        />
      )}
      <TextAreaField
        {...form.field('redirectUris')}
        label={m.clients_redirects()}
        description={m.clients_redirects_hint({ origins: origins.join(', ') })}
        required
      />
      <TextAreaField
        {...form.field('logoutRedirectUris')}
        label={m.clients_logouts()}
        description={m.clients_logouts_hint()}
      />
      <SelectField
        name="algorithm"
        value={form.values.algorithm ?? 'RS256'}
        label={m.clients_algorithm()}
        options={[
          { value: 'RS256', label: m.clients_algorithm_default() },
          { value: 'ES256', label: 'ES256' },
        ]}
        onChange={(algorithm) => form.set('algorithm', algorithm as SigningAlgorithm)}
      />
      <DialogActions
        action={form}
        submit={client ? m.shell_save() : m.clients_create()}
        onCancel={onCancel}
      />
    </Form>
  )
}

/** Creates or changes a client; a new secret is shown once. */
export function SignInClientDialog({
  project,
  client,
  origins,
  open,
  onClose,
}: {
  project: Project
  /** Null for a new client. */
  client: SignInClient | null
  origins: readonly string[]
  open: boolean
  onClose: () => void
}) {
  const [secret, setSecret] = useState<string | null>(null)
  function close() {
    onClose()
    setSecret(null)
  }
  return (
    <Dialog
      open={open}
      title={
        secret !== null
          ? m.clients_created()
          : client
            ? m.clients_edit_named({ name: client.name })
            : m.clients_create()
      }
      // A click outside would lose the input or the secret.
      changed
      closeLabel={m.shell_close()}
      onClose={close}
    >
      {secret === null ? (
        <ClientForm
          key={client?.id ?? ''}
          project={project}
          client={client}
          origins={origins}
          onDone={(created) => (created === null ? close() : setSecret(created))}
          onCancel={close}
        />
      ) : (
        <SecretOnceDialog
          secret={secret}
          hint={m.clients_secret_once()}
          copyLabel={m.clients_copy_secret()}
          done={m.clients_done()}
          onDone={close}
        />
      )}
    </Dialog>
  )
}
