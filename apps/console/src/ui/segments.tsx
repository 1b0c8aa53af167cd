import { classNames } from './class-names.ts'

/** A segmented control: selects one view of the same data. `label` names the group. */
export const Segments = <Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
  <div
    role="group"
    aria-label={label}
    className="inline-flex rounded-md border border-control bg-surface control-height p-0.5"
  >
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        className={classNames(
          'rounded-md px-3 whitespace-nowrap pointer-coarse:min-h-11 transition-colors',
          option.value === value ? 'bg-hover font-medium text-fg' : 'text-muted hover:text-fg',
        )}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </div>
)
