import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type AlertKind = 'success' | 'info' | 'failure'

export const alertIcons = { success: CircleCheck, info: Info, failure: CircleAlert }

const looks: Record<AlertKind, string> = {
  success: 'bg-success-soft border-success/30',
  info: 'bg-info-soft border-info/30',
  failure: 'bg-danger-soft border-danger/30',
}

export const alertIconColors: Record<AlertKind, string> = {
  success: 'text-success',
  info: 'text-info',
  failure: 'text-danger',
}

/**
 * A message in the page with its buttons at the right, or below it in a narrow space. A failure
 * interrupts screen readers; the other kinds wait.
 */
export function Alert({
  kind,
  children,
  actions,
}: {
  kind: AlertKind
  children: ReactNode
  actions?: ReactNode
}) {
  const Icon = alertIcons[kind]
  return (
    <div
      role={kind === 'failure' ? 'alert' : 'status'}
      className={classNames('@container rounded-md border px-3 py-2', looks[kind])}
    >
      <div className="flex flex-col gap-x-4 gap-y-2 @min-[32rem]:flex-row @min-[32rem]:items-center">
        <div className="flex min-w-0 flex-1 items-start gap-2">
          <Icon
            className={classNames('mt-0.5 size-4 shrink-0', alertIconColors[kind])}
            aria-hidden
          />
          <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
        </div>
        {actions && <div className="flex flex-wrap gap-2 @max-[32rem]:pl-6">{actions}</div>}
      </div>
    </div>
  )
}
