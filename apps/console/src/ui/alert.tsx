import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type AlertKind = 'success' | 'info' | 'failure'

export const alertIcons = { success: CircleCheck, info: Info, failure: CircleAlert }

const looks: Record<AlertKind, string> = {
  success: 'bg-success-soft border-success/30 [&>svg]:text-success',
  info: 'bg-info-soft border-info/30 [&>svg]:text-info',
  failure: 'bg-danger-soft border-danger/30 [&>svg]:text-danger',
}

/** A message in the page. A failure interrupts screen readers; the other kinds wait. */
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
      className={classNames('flex items-start gap-2 rounded-md border px-3 py-2', looks[kind])}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="grid min-w-0 flex-1 gap-2 wrap-anywhere">
        <div>{children}</div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}
