import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { CheckInput, type CheckInputProps } from '../../../ui/field/check-input.tsx'

/** A checkbox or radio button whose whole row is clickable. */
export const Choice = ({
  isOneLine,
  children,
  ...input
}: CheckInputProps & { isOneLine?: boolean; children: ReactNode }) => (
  <label
    className={classNames(
      'flex min-h-11 gap-3 rounded-md border px-3 py-2 transition-colors',
      isOneLine ? 'items-center' : 'items-start',
      input.checked && 'chosen',
      !input.checked &&
        (input.disabled ? 'border-line text-muted' : 'border-control hover:bg-hover'),
    )}
  >
    <CheckInput {...input} />
    <span className="min-w-0 flex-1">{children}</span>
  </label>
)

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
