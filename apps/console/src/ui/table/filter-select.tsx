import ChevronDown from 'lucide-react/icons/chevron-down'
import { classNames } from '../class-names.ts'
import type { SelectOption } from '../field/select-field.tsx'

/**
 * A native select in a toolbar, as wide as the selected option. The first option has an empty value
 * and means no filter; any other is highlighted.
 */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
  icon: Icon,
  className,
}: {
  label: string
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** Replaces the text of the selected option. */
  icon?: typeof ChevronDown
  className?: string
}) {
  const Arrow = Icon ?? ChevronDown
  return (
    <div className={classNames('relative min-w-0', className)}>
      <select
        aria-label={label}
        value={value}
        className={classNames(
          'control-height max-w-full appearance-none rounded-md border transition-colors pointer-coarse:text-base',
          // The padding leaves no room for the text.
          Icon ? 'w-11 pr-0 pl-10.5' : 'field-sizing-content truncate pr-8 pl-3 max-sm:w-full',
          value === ''
            ? 'border-control bg-surface hover:bg-hover'
            : 'border-accent bg-accent-soft font-medium text-accent',
        )}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-raised font-normal text-fg">
            {option.label}
          </option>
        ))}
      </select>
      <Arrow
        className={classNames(
          'pointer-events-none absolute top-1/2 size-4 -translate-y-1/2',
          Icon ? 'right-3.5' : 'right-2.5',
          value !== '' ? 'text-accent' : Icon ? 'text-fg' : 'text-muted',
        )}
        aria-hidden
      />
    </div>
  )
}
