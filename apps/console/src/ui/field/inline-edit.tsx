import Pencil from 'lucide-react/icons/pencil'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'

/** A value with an Edit button, which has the focus again once the editor has closed. */
export function InlineEdit({
  children,
  editText,
  disabled,
  headingClass,
  loadEditor,
  renderEditor,
}: {
  /** The value while it is not edited. */
  children: ReactNode
  editText: string
  disabled?: boolean | undefined
  /** The classes of a value that is the heading of the page. */
  headingClass?: string | undefined
  /** Loads the code of the editor, and resolves to whether it has loaded. */
  loadEditor: () => Promise<boolean>
  renderEditor: (close: () => void) => ReactNode
}) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)

  useEffect(() => {
    if (wasEditing.current && !editing) editButton.current?.focus()
    wasEditing.current = editing
  }, [editing])

  if (editing)
    return (
      <>
        {headingClass && <h1 className="sr-only">{children}</h1>}
        {renderEditor(() => setEditing(false))}
      </>
    )
  return (
    <div className="flex min-w-0 items-center gap-1">
      {headingClass ? (
        <h1 tabIndex={-1} className={headingClass}>
          {children}
        </h1>
      ) : (
        <span className="min-w-0 wrap-anywhere">{children}</span>
      )}
      <span className="-my-1.5 inline-flex items-center pointer-coarse:-my-3">
        <IconButton
          ref={editButton}
          icon={Pencil}
          label={editText}
          disabled={disabled}
          onPointerEnter={loadEditor}
          onFocus={loadEditor}
          onClick={async () => {
            // Without its code the value stays; the next click requests it again.
            if (await loadEditor()) setEditing(true)
          }}
        />
      </span>
    </div>
  )
}
