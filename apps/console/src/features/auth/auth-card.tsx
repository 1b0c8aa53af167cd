import type { ReactNode } from 'react'
import { Brand } from '../../shell/layout/brand.tsx'
import { useDocumentTitle } from '../../shell/page/document-title.ts'
import { useScreen } from '../../shell/page/use-screen.ts'
import { classNames } from '../../ui/class-names.ts'

/**
 * The form of an auth page; `footer` has the links to the other auth pages. In a wide window they
 * are in a card with the brand, whose second column is `panel`.
 */
export function AuthCard({
  description,
  children,
  footer,
  panel,
}: {
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /**
   * Shown beside the card in a wide window. An `aside` element, by which the layout recognizes it.
   */
  panel?: ReactNode
}) {
  const { title } = useScreen()
  useDocumentTitle(title)
  return (
    <div
      className={classNames(
        'grid lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface',
        panel ? 'lg:grid-cols-2' : 'self-start',
      )}
    >
      <div className="grid content-start gap-5 lg:p-8">
        <div className="grid gap-5 pointer-fine:[--control-height:2.5rem]">
          <div className="max-lg:hidden">
            <Brand />
          </div>
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
      {panel}
    </div>
  )
}
