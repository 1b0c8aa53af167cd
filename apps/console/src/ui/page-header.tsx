import type { ReactNode } from 'react'

/**
 * The heading of a page, with its picture, the badge of its state, its description and its actions.
 */
export const PageHeader = ({
  picture,
  title,
  badge,
  description,
  actions,
}: {
  /** No higher than the heading. */
  picture?: ReactNode
  title: ReactNode
  badge?: ReactNode
  description?: ReactNode
  actions?: ReactNode
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
    {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
  </header>
)
