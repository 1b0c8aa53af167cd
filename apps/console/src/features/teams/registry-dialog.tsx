import { type Registry, setRegistry } from '@slipway/contract/registries'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { DialogActions } from '../../forms/dialog-actions.tsx'
import { passwordTexts } from '../../forms/password/password-texts.ts'
import { useForm } from '../../forms/use-form.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/field/form.tsx'
import { PasswordField } from '../../ui/field/password-field.tsx'
import { TextField } from '../../ui/field/text-field.tsx'
import { registriesQuery } from './registry-queries.ts'

function RegistryForm({
  team,
  registry,
  onClose,
}: {
  team: Team
  registry: Registry | null
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema: setRegistry.body,
    initial: { host: registry?.host ?? '', username: registry?.username ?? '', password: '' },
    async submit(body) {
      const { host } = await call(setRegistry, { params: { id: team.id }, body })
      await queryClient.invalidateQueries(registriesQuery(team.id))
      showToast('success', m.teams_registry_saved_toast({ host }))
      onClose()
    },
  })
  return (
    <Form {...form.props}>
      {!registry && (
        <TextField
          {...form.field('host')}
          label={m.teams_registry_host()}
          description={m.teams_registry_host_hint()}
          required
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <TextField
        {...form.field('username')}
        label={m.teams_registry_username()}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <PasswordField
        {...form.field('password')}
        label={m.teams_registry_password()}
        description={m.teams_registry_password_hint()}
        texts={passwordTexts()}
        required
        // Otherwise password managers would fill in the password of the user's account.
        autoComplete="new-password"
      />
      <DialogActions action={form} submit={m.shell_save()} onCancel={onClose} />
    </Form>
  )
}

/** Adds the credentials of a registry, or replaces existing ones. */
export const RegistryDialog = ({
  team,
  registry,
  open,
  onClose,
}: {
  team: Team
  /** Null for a new one. */
  registry: Registry | null
  open: boolean
  onClose: () => void
}) => (
  <Dialog
    open={open}
    title={
      registry ? m.teams_registry_replace_named({ host: registry.host }) : m.teams_registry_add()
    }
    changed
    closeLabel={m.shell_close()}
    onClose={onClose}
  >
    <RegistryForm key={registry?.id} team={team} registry={registry} onClose={onClose} />
  </Dialog>
)
