import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { type ComponentProps, useEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'

export type CheckInputProps = Omit<
  ComponentProps<'input'>,
  'ref' | 'className' | 'type' | 'children'
> & {
  type: 'checkbox' | 'radio'
  checked: boolean
  /** True for "Select all" while only some of the items are selected. */
  partly?: boolean | undefined
}

const markClass = 'pointer-events-none absolute size-4 text-on-fill forced-colors:hidden'

/** A checkbox or radio button, as high as a line of text. The label around it names it. */
export function CheckInput({ type, partly = false, ...input }: CheckInputProps) {
  const element = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (element.current) element.current.indeterminate = partly
  }, [partly])
  const Mark = partly ? Minus : Check
  const isMarked = partly || input.checked
  return (
    <span className="relative grid size-5 shrink-0 place-items-center">
      <input
        ref={element}
        type={type}
        {...input}
        className={classNames(
          'size-5 appearance-none border disabled:cursor-not-allowed forced-colors:appearance-auto',
          type === 'radio' ? 'rounded-full' : 'rounded-md',
          isMarked && 'border-transparent bg-accent-fill',
          !isMarked && (input.disabled ? 'border-line bg-hover' : 'border-control bg-surface'),
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
  )
}
