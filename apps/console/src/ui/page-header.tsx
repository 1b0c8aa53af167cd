import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/**
 * The heading of a page, with its picture, the badge of its state, its description and its actions.
 */
export const PageHeader = ({
  picture,
  title,
  badge,
  description,
  actions,
  actionsFill,
}: {
  /** No higher than the heading. */
  picture?: ReactNode
  title: ReactNode
  badge?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** True if the actions share the whole width of a phone. */
  actionsFill?: boolean | undefined
}) => (
  <header className="flex flex-wrap items-center justify-between gap-4">
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {picture}
        <h1 tabIndex={-1} className="text-xl leading-8 font-semibold tracking-tight wrap-anywhere">
          {title}
        </h1>
        {badge}
      </div>
      {description && <p className="mt-1 text-muted">{description}</p>}
    </div>
    {actions && (
      <div
        className={classNames(
          'flex flex-wrap gap-2',
          actionsFill && 'max-sm:w-full max-sm:*:flex-1',
        )}
      >
        {actions}
      </div>
    )}
  </header>
)
