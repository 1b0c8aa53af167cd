import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../../ui/class-names.ts'

type ChoiceProps = Omit<ComponentProps<'input'>, 'className' | 'type' | 'children'> & {
  type: 'checkbox' | 'radio'
  checked: boolean
  /** True for "Select all" while only some of the items are selected. */
  partly?: boolean | undefined
  isOneLine?: boolean
  children: ReactNode
}

const markClass = 'pointer-events-none absolute size-4 text-on-fill forced-colors:hidden'

/** A checkbox or radio button whose whole row is clickable. */
export function Choice({ type, partly = false, isOneLine, children, ...input }: ChoiceProps) {
  const element = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (element.current) element.current.indeterminate = partly
  }, [partly])
  const Mark = partly ? Minus : Check
  const isMarked = partly || input.checked

  return (
    <label
      className={classNames(
        'flex min-h-11 gap-3 rounded-md border px-3 py-2 transition-colors',
        isOneLine ? 'items-center' : 'items-start',
        input.checked ? 'bg-accent-soft border-accent/30' : 'border-line',
        !input.disabled && !input.checked && 'hover:bg-hover',
      )}
    >
      <span className="relative grid size-5 shrink-0 place-items-center">
        <input
          ref={element}
          type={type}
          {...input}
          className={classNames(
            'size-5 appearance-none border disabled:cursor-not-allowed forced-colors:appearance-auto',
            type === 'radio' ? 'rounded-full' : 'rounded-md',
            isMarked && 'border-transparent bg-accent-fill',
            !isMarked && (input.disabled ? 'border-control bg-hover' : 'border-control bg-surface'),
          )}
        />
        {isMarked &&
          (type === 'radio' ? (
            <svg className={markClass} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
              <circle cx="8" cy="8" r="4" fill="currentColor" />
            </svg>
          ) : (
            <Mark className={markClass} aria-hidden />
          ))}
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  )
}

export const Choices = ({
  legend,
  error,
  errorId,
  children,
}: {
  legend: string
  error: string | undefined
  errorId: string
  children: ReactNode
}) => (
  <fieldset className="grid min-w-0 gap-2">
    <legend className="mb-4 text-base font-semibold">{legend}</legend>
    {error && (
      <p id={errorId} role="alert" className="text-danger">
        {error}
      </p>
    )}
    {children}
  </fieldset>
)
