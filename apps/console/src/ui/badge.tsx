import type { ComponentType, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'primary' | 'secondary' | 'danger' | 'success' | 'warning'

const tones: Record<BadgeTone, string> = {
  primary: 'bg-accent-soft text-accent',
  secondary: 'bg-hover text-muted',
  danger: 'bg-danger-soft text-danger',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
}

/** The label of a state. Color and icon only repeat the text. */
export const Badge = ({
  tone,
  icon: Icon,
  children,
}: {
  tone: BadgeTone
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  children: ReactNode
}) => (
  <span
    className={classNames(
      'inline-flex items-center gap-1.5 align-middle rounded-full px-2 py-0.5 text-xs leading-4 font-medium whitespace-nowrap',
      tones[tone],
    )}
  >
    {Icon && <Icon className="size-3.5 shrink-0" aria-hidden />}
    {children}
  </span>
)
