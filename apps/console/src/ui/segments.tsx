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
    className="inline-flex rounded-md bg-hover control-height p-0.5"
  >
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        className={classNames(
          'rounded-md border px-3 whitespace-nowrap pointer-coarse:min-h-11 transition-colors',
          option.value === value
            ? 'border-control bg-surface font-medium text-fg'
            : 'border-transparent text-muted hover:text-fg',
        )}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </div>
)
