import {
  changeEnvironment,
  variableNameProblem,
  variableValueProblem,
} from '@slipway/contract/environment'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '../../../api/client.ts'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { TextAreaField } from '../../../ui/field/text-area-field.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { environmentQuery } from './settings-queries.ts'

/** Checks a text with a function of the contract, which returns the message of its problem. */
const checked = (problemOf: (text: string) => string | null) =>
  z.string().check(({ value, issues }) => {
    const message = problemOf(value)
    if (message) issues.push({ code: 'custom', input: value, message })
  })

const schema = z.object({
  name: checked((name) => variableNameProblem(name.trim())),
  value: checked(variableValueProblem),
})

function VariableForm({
  project,
  name,
  onClose,
}: {
  project: Project
  name: string
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema,
    initial: { name, value: '' },
    async submit({ name: typed, value }) {
      const changed = await call(changeEnvironment, {
        params: { id: project.id },
        body: { set: { [typed.trim()]: value } },
      })
      queryClient.setQueryData(environmentQuery(project.id).queryKey, changed)
      onClose()
    },
  })
  return (
    <Form {...form.props}>
      {name === '' && (
        <TextField
          {...form.field('name')}
          label={m.account_name()}
          required
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <TextAreaField
        {...form.field('value')}
        label={m.environment_value()}
        description={m.environment_value_hint()}
      />
      <DialogActions action={form} submit={m.shell_save()} onCancel={onClose} />
    </Form>
  )
}

/** Adds a variable, or replaces the value of one. */
export function VariableDialog({
  project,
  name,
  open,
  onClose,
}: {
  project: Project
  /** Empty for a new variable. */
  name: string
  open: boolean
  onClose: () => void
}) {
  return (
    <Dialog
      open={open}
      title={name === '' ? m.environment_add() : m.environment_replace_named({ name })}
      changed
      closeLabel={m.shell_close()}
      onClose={onClose}
    >
      <VariableForm key={name} project={project} name={name} onClose={onClose} />
    </Dialog>
  )
}
