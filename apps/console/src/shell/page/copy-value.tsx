import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/**
 * A value and, 8 px after it, the icon of a button that copies it. The button does not increase the
 * row's height.
 */
export const CopyValue = ({
  text,
  label,
  quiet,
  children = text,
}: {
  text: string
  label: string
  /** In a row of a table: the button is visible while the pointer is on the row. */
  quiet?: boolean
  children?: ReactNode
}) => (
  <span className="inline-flex max-w-full items-center">
    <span className="min-w-0 wrap-anywhere">{children}</span>
    <span
      className={classNames(
        '-my-1.5 inline-flex items-center pointer-coarse:-my-3 pointer-coarse:-ml-1.5',
        quiet && 'on-row-hover',
      )}
    >
      <CopyButton
        text={text}
        texts={{ copy: label, copied: m.shell_copied(), failed: m.shell_copy_failed() }}
      />
    </span>
  </span>
)
