import type { ReactNode } from 'react'
import { useDocumentTitle } from './document-title.ts'
import { useScreen } from './use-screen.ts'

/** The card of an auth page; `footer` has the links to the other auth pages. */
export function AuthCard({
  description,
  children,
  footer,
}: {
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}) {
  const { title } = useScreen()
  useDocumentTitle(title)
  return (
    <div className="grid gap-4">
      <div className="grid gap-5 rounded-md border border-line bg-surface p-6">
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
}
