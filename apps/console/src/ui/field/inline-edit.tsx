import Pencil from 'lucide-react/icons/pencil'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'

/**
 * Beside a heading: 8 px before the icon and no space after it. The button overlaps its
 * surroundings; beside another value it would cover the copy button.
 */
const headingButtonClass = '-mr-2 pointer-coarse:-mr-3.5 pointer-coarse:-ml-1.5'

/**
 * A value with an Edit button, which gets the focus once the editor has closed. If the button is
 * gone, a heading gets it.
 */
export function InlineEdit({
  children,
  editText,
  readOnly,
  disabled,
  headingClass,
  loadEditor,
  renderEditor,
}: {
  /** The value while it is not edited. */
  children: ReactNode
  editText: string
  /** Hides the button. A heading stays the same element, so that it keeps the focus. */
  readOnly?: boolean | undefined
  disabled?: boolean | undefined
  /** The classes of a value that is the heading of the page. */
  headingClass?: string | undefined
  /** Loads the code of the editor, and resolves to whether it has loaded. */
  loadEditor: () => Promise<boolean>
  renderEditor: (close: () => void) => ReactNode
}) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const wasEditing = useRef(false)

  useEffect(() => {
    if (wasEditing.current && !editing) (editButton.current ?? heading.current)?.focus()
    wasEditing.current = editing
  }, [editing])

  if (editing && readOnly) setEditing(false)
  if (editing)
    return (
      <>
        {headingClass && <h1 className="sr-only">{children}</h1>}
        {renderEditor(() => setEditing(false))}
      </>
    )
  return (
    <div className="flex min-w-0 items-center">
      {headingClass ? (
        <h1 ref={heading} tabIndex={-1} className={headingClass}>
          {children}
        </h1>
      ) : (
        <span className="min-w-0 wrap-anywhere">{children}</span>
      )}
      {!readOnly && (
        <span
          className={classNames(
            '-my-1.5 inline-flex items-center pointer-coarse:-my-3',
            headingClass && headingButtonClass,
          )}
        >
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
      )}
    </div>
  )
}
