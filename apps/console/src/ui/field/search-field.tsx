import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type RefObject, useId } from 'react'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../tooltip.tsx'
import { controlClass } from './field.tsx'

/** A field that filters a list. Escape and the button at its end clear it. */
export function SearchField({
  label,
  clearLabel,
  value,
  onChange,
  field,
}: {
  label: string
  clearLabel: string
  value: string
  onChange: (value: string) => void
  field: RefObject<HTMLInputElement | null>
}) {
  const id = useId()
  return (
    <div className="relative w-full sm:w-64">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <input
        ref={field}
        id={id}
        type="search"
        // The search shortcut looks for this attribute.
        data-shortcut="search"
        value={value}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        className={classNames(
          controlClass,
          'appearance-none px-9 [&::-webkit-search-cancel-button]:appearance-none',
        )}
        // Room for the button is needed only once there is a text to clear.
        style={value === '' ? { paddingRight: '0.75rem' } : undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.preventDefault()
          event.stopPropagation()
          onChange('')
        }}
      />
      {value !== '' && (
        <div className="absolute inset-y-0 right-0 flex">
          <Tooltip text={clearLabel}>
            <button
              type="button"
              aria-label={clearLabel}
              className="grid w-9 place-items-center rounded-md text-muted hover:text-fg pointer-coarse:w-11"
              onClick={() => {
                onChange('')
                field.current?.focus()
              }}
            >
              <X className="size-4" aria-hidden />
            </button>
          </Tooltip>
        </div>
      )}
    </div>
  )
}
