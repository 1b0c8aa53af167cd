import { m } from '@slipway/phrases'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { errorMessage } from '../api/error-message.ts'
import { InlineEditor } from '../ui/field/inline-editor.tsx'
import { checkForm, type FormSchema, messagesOf } from './check-form.ts'
import { formMessageText } from './form-message.ts'
import { loadFormMessages } from './load-form-messages.ts'
import { useUnsaved } from './use-unsaved.ts'

/**
 * `schema` is the body of the call that saves the value, `name` its field. `save` gets the parsed
 * body; its errors show beside the field.
 */
export type InlineFormProps<S extends FormSchema> = {
  schema: S
  name: keyof z.input<S> & string
  save: (body: z.output<S>) => Promise<unknown>
  label: string
  value: string
  placeholder?: string
}

export function InlineForm<S extends FormSchema>({
  schema,
  name,
  save,
  label,
  value,
  placeholder,
  close,
}: InlineFormProps<S> & { close: () => void }) {
  const [hasUnsaved, setHasUnsaved] = useState(false)
  useUnsaved(label, hasUnsaved)

  async function onSave(draft: string) {
    const checked = checkForm(schema, { [name]: draft })
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
    <InlineEditor
      label={label}
      value={value}
      placeholder={placeholder}
      texts={{ save: m.shell_save(), cancel: m.shell_cancel() }}
      onSave={onSave}
      onUnsavedChange={setHasUnsaved}
      close={close}
    />
  )
}
