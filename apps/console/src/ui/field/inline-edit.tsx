import Pencil from 'lucide-react/icons/pencil'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { controlClass } from './field.tsx'

type Props = {
  /** The accessible name of the input. */
  label: string
  value: string
  /** The value while it is not edited; `value` by default. */
  children?: ReactNode
  placeholder?: string
  disabled?: boolean
  texts: { edit: string; save: string; cancel: string }
  /** Resolves to the error to show, or to null once the value is saved. Must not reject. */
  onSave: (value: string) => Promise<ReactNode>
  /** Called when unsaved input appears or disappears. */
  onUnsavedChange: (hasUnsaved: boolean) => void
}

/** A value with an Edit button. Enter saves, Escape cancels; both restore the focus. */
export function InlineEdit({ label, value, children, disabled, texts, ...editor }: Props) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)

  useEffect(() => {
    if (wasEditing.current && !editing) editButton.current?.focus()
    wasEditing.current = editing
  }, [editing])

  if (editing)
    return (
      <Editor
        {...editor}
        label={label}
        value={value}
        texts={texts}
        close={() => setEditing(false)}
      />
    )
  return (
    <div className="flex items-center gap-1">
      <span className="min-w-0 wrap-anywhere">{children ?? value}</span>
      <span className="-my-1.5 inline-flex items-center pointer-coarse:-my-3">
        <IconButton
          ref={editButton}
          icon={Pencil}
          label={texts.edit}
          disabled={disabled}
          onClick={() => setEditing(true)}
        />
      </span>
    </div>
  )
}

function Editor({
  label,
  value,
  placeholder,
  texts,
  onSave,
  onUnsavedChange,
  close,
}: Omit<Props, 'children' | 'disabled'> & { close: () => void }) {
  const [draft, setDraft] = useState(value)
  const [error, setError] = useState<ReactNode>(null)
  const [pending, setPending] = useState(false)
  const inFlight = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const errorId = useId()

  useEffect(() => field.current?.select(), [])

  const hasUnsaved = !pending && draft !== value
  useEffect(() => {
    onUnsavedChange(hasUnsaved)
    return () => onUnsavedChange(false)
  }, [onUnsavedChange, hasUnsaved])

  async function save() {
    if (inFlight.current) return
    inFlight.current = true
    setPending(true)
    const message = await onSave(draft)
    inFlight.current = false
    setPending(false)
    if (message === null) return close()
    setError(message)
    field.current?.focus()
  }

  return (
    <form
      noValidate
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !pending) close()
      }}
    >
      <div className="flex flex-wrap gap-2">
        <input
          ref={field}
          className={classNames(controlClass, 'min-w-60 flex-1 sm:max-w-sm')}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          placeholder={placeholder}
          value={draft}
          readOnly={pending}
          onChange={(event) => {
            setDraft(event.target.value)
            setError(null)
          }}
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary" pending={pending}>
            {texts.save}
          </Button>
          <Button disabled={pending} onClick={close}>
            {texts.cancel}
          </Button>
        </div>
      </div>
      {error && (
        <p id={errorId} role="alert" className="text-danger wrap-anywhere">
          {error}
        </p>
      )}
    </form>
  )
}
