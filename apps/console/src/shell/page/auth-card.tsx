import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { useDocumentTitle } from './document-title.ts'
import { useScreen } from './use-screen.ts'

/** In a wide window the form is one half of a card, and the panel the other. */
const panelCardClass = 'content-start lg:content-between lg:p-8 lg:*:first:border-0 lg:*:first:p-0'

/** The card of an auth page; `footer` has the links to the other auth pages. */
export function AuthCard({
  description,
  children,
  footer,
  panel,
  brand,
}: {
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /**
   * Shown beside the card in a wide window. An `aside` element, by which the layout recognizes it.
   */
  panel?: ReactNode
  /** Shown above the title beside a panel, where the layout shows no brand. */
  brand?: ReactNode
}) {
  const { title } = useScreen()
  useDocumentTitle(title)
  const card = (
    <div className={classNames('grid gap-4', panel ? panelCardClass : 'content-start')}>
      <div className="grid gap-5 rounded-md border border-line bg-surface p-6 pointer-fine:[--control-height:2.5rem]">
        {brand && <div className="mb-3 max-lg:hidden">{brand}</div>}
        <div className="grid gap-1">
          <h1 tabIndex={-1} className="text-xl leading-8 font-semibold tracking-tight">
            {title}
          </h1>
          {description && <p className="wrap-anywhere text-muted">{description}</p>}
        </div>
        {children}
      </div>
      {footer && <div className="grid gap-2 text-center text-muted">{footer}</div>}
    </div>
  )
  if (!panel) return card
  return (
    <div className="grid lg:grid-cols-2 lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface">
      {card}
      {panel}
    </div>
  )
}
