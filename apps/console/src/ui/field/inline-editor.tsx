import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { controlClass } from './field.tsx'

/** The form of a value that is edited in place. Enter saves, Escape cancels. */
export function InlineEditor({
  label,
  value,
  placeholder,
  texts,
  onSave,
  onUnsavedChange,
  close,
}: {
  label: string
  value: string
  placeholder?: string | undefined
  texts: { save: string; cancel: string }
  /** Resolves to the error to show, or to null once the value is saved. Must not reject. */
  onSave: (value: string) => Promise<ReactNode>
  /** Called when unsaved input appears or disappears. */
  onUnsavedChange: (hasUnsaved: boolean) => void
  close: () => void
}) {
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
      className="flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !pending) close()
      }}
    >
      <div className="grid min-w-60 flex-1 content-start gap-1.5 sm:max-w-sm">
        <input
          ref={field}
          className={controlClass}
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
        {error && (
          <p id={errorId} role="alert" className="text-danger wrap-anywhere">
            {error}
          </p>
        )}
      </div>
      <div className="flex items-start gap-2">
        <Button type="submit" variant="primary" pending={pending}>
          {texts.save}
        </Button>
        <Button disabled={pending} onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
