import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { InlineEdit } from '../ui/field/inline-edit.tsx'
import { useOnDemand } from '../ui/on-demand.ts'
import type { FormSchema } from './check-form.ts'
import type { InlineFormProps } from './inline-form.tsx'

const loadForm = () => import('./inline-form.tsx')

/** A value that is edited in place. The code of its form loads when it is needed. */
export function EditableField<S extends FormSchema>({
  children,
  readOnly,
  disabled,
  headingClass,
  ...form
}: InlineFormProps<S> & {
  children?: ReactNode
  readOnly?: boolean
  disabled?: boolean
  headingClass?: string
}) {
  const { part, preload } = useOnDemand(loadForm)
  return (
    <InlineEdit
      editText={m.shell_edit({ label: form.label })}
      readOnly={readOnly}
      disabled={disabled}
      headingClass={headingClass}
      loadEditor={preload}
      renderEditor={(close) => part && <part.InlineForm {...form} close={close} />}
    >
      {children ?? form.value}
    </InlineEdit>
  )
}
