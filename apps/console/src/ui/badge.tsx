import type { ComponentType, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'primary' | 'secondary' | 'danger' | 'success' | 'warning'

const texts: Record<BadgeTone, string> = {
  primary: 'text-accent',
  secondary: 'text-muted',
  danger: 'text-danger',
  success: 'text-success',
  warning: 'text-warning',
}

const backgrounds: Record<BadgeTone, string> = {
  primary: 'bg-accent-soft px-2',
  // A selected row has the same gray.
  secondary: 'bg-hover px-2 in-[.chosen,[data-highlighted]]:bg-surface',
  danger: 'bg-danger-soft px-2',
  success: 'bg-success-soft px-2',
  warning: 'bg-warning-soft px-2',
}

/** The label of a state. Color and icon only repeat the text. */
export const Badge = ({
  tone,
  icon: Icon,
  quiet,
  children,
}: {
  tone: BadgeTone
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Without a background and in the size of the text, for a list with a badge in each row. */
  quiet?: boolean | undefined
  children: ReactNode
}) => (
  <span
    className={classNames(
      'inline-flex items-center gap-1.5 align-middle rounded-full py-0.5 leading-4 font-medium whitespace-nowrap',
      texts[tone],
      !quiet && `text-xs ${backgrounds[tone]}`,
    )}
  >
    {Icon && <Icon className="size-3.5 shrink-0" aria-hidden />}
    {children}
  </span>
)
