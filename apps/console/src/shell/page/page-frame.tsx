import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Breadcrumbs, type Crumb } from '../navigation/breadcrumbs.tsx'
import { useDocumentTitle } from './document-title.ts'
import { useScreen } from './use-screen.ts'

export function PageFrame({
  title: ownTitle,
  heading,
  picture,
  badge,
  description,
  actions,
  trail: ownTrail,
  tabs,
  narrow,
  isDocument,
  children,
}: {
  /** The name of the loaded resource; the screen's title by default. */
  title?: string
  /** Replaces the title in the heading, such as with a skeleton. */
  heading?: ReactNode
  /** Shown before the heading. */
  picture?: ReactNode
  /** Beside the heading: a badge that loads later moves nothing. */
  badge?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Replaces the screen's ancestors in the breadcrumbs and the document title. */
  trail?: readonly Crumb[]
  /** Links to the pages of the same area, instead of breadcrumbs. */
  tabs?: ReactNode
  /** True for a page with a form: short lines are easier to read. */
  narrow?: boolean
  /** True for a document such as an invoice: 50rem wide; its actions share the width of a phone. */
  isDocument?: boolean
  children: ReactNode
}) {
  const screen = useScreen()
  const title = ownTitle ?? screen.title
  const trail =
    ownTrail ?? screen.ancestors.map((ancestor) => ({ to: ancestor.path, label: ancestor.title() }))
  useDocumentTitle(title, trail.map(({ label }) => label).reverse())
  return (
    <div
      className={classNames(
        'mx-auto grid gap-6',
        narrow && 'max-w-xl',
        isDocument && 'w-full max-w-200',
      )}
    >
      <div className="grid gap-2">
        {!tabs && trail.length > 0 && <Breadcrumbs trail={trail} title={title} />}
        <PageHeader
          picture={picture}
          title={heading || title}
          badge={badge}
          description={description}
          actions={actions}
          actionsFill={isDocument}
        />
      </div>
      {tabs}
      {children}
    </div>
  )
}
