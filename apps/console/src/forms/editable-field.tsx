import { m } from '@slipway/phrases'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { errorMessage } from '../api/error-message.ts'
import { InlineEdit } from '../ui/field/inline-edit.tsx'
import { checkForm, type FormSchema, messagesOf } from './check-form.ts'
import { formMessageText } from './form-message.ts'
import { loadFormMessages } from './load-form-messages.ts'
import { useUnsaved } from './use-unsaved.ts'

/**
 * A value that is edited in place, checked by the schema of the call that saves it. `name` is the
 * field of that call's body. `save` gets the parsed body; its errors show beside the field.
 */
export function EditableField<S extends FormSchema>({
  schema,
  name,
  save,
  ...view
}: {
  schema: S
  name: keyof z.input<S> & string
  save: (body: z.output<S>) => Promise<unknown>
  label: string
  value: string
  /** The value while it is not edited. */
  children?: ReactNode
  placeholder?: string
  disabled?: boolean
}) {
  const [hasUnsaved, setHasUnsaved] = useState(false)
  useUnsaved(view.label, hasUnsaved)

  async function onSave(value: string) {
    const checked = checkForm(schema, { [name]: value })
    if (checked.errors) {
      await loadFormMessages(messagesOf(checked.errors))
      const error = checked.errors[name]
      return error && 'message' in error
        ? formMessageText(error.message, error.max)
        : formMessageText('form_invalid')
    }
    try {
      await save(checked.data)
      return null
    } catch (error) {
      return errorMessage(error)
    }
  }

  return (
    <InlineEdit
      {...view}
      texts={{
        edit: m.shell_edit({ label: view.label }),
        save: m.shell_save(),
        cancel: m.shell_cancel(),
      }}
      onSave={onSave}
      onUnsavedChange={setHasUnsaved}
    />
  )
}
