import ChevronDown from 'lucide-react/icons/chevron-down'
import { classNames } from '../class-names.ts'
import type { SelectOption } from '../field/select-field.tsx'

/**
 * A native select in a toolbar, as wide as the selected option. The first option has an empty value
 * and means no filter; any other is highlighted.
 */
export const FilterSelect = ({
  label,
  value,
  options,
  onChange,
  className,
}: {
  label: string
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  className?: string
}) => (
  <div className={classNames('relative min-w-0', className)}>
    <select
      aria-label={label}
      value={value}
      className={classNames(
        'control-height field-sizing-content max-w-full appearance-none truncate rounded-md border pr-8 pl-3 transition-colors max-sm:w-full pointer-coarse:text-base',
        value === ''
          ? 'border-control/60 bg-surface hover:bg-hover'
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
    <ChevronDown
      className={classNames(
        'pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2',
        value === '' ? 'text-muted' : 'text-accent',
      )}
      aria-hidden
    />
  </div>
)
