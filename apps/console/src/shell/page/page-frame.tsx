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
  sheet,
  children,
}: {
  /** The name of the loaded resource; the screen's title by default. */
  title?: string
  /** Replaces the title in the heading, such as with a skeleton. */
  heading?: ReactNode
  /** Shown before the heading. */
  picture?: ReactNode
  /** Shown beside the heading, so that nothing moves when it arrives. */
  badge?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Replaces the screens above this one in the breadcrumbs. */
  trail?: readonly Crumb[]
  /** Links to the pages of the same area, instead of breadcrumbs. */
  tabs?: ReactNode
  /** True for a page with a form: short lines are easier to read. */
  narrow?: boolean
  /** True for a document such as an invoice, whose actions share the width of a phone. */
  sheet?: boolean
  children: ReactNode
}) {
  const screen = useScreen()
  const title = ownTitle ?? screen.title
  const trail =
    ownTrail ?? screen.ancestors.map((above) => ({ to: above.path, label: above.title() }))
  useDocumentTitle(title, trail.map(({ label }) => label).reverse())
  return (
    <div
      className={classNames('mx-auto grid gap-6', narrow && 'max-w-xl', sheet && 'w-full')}
      // A class would add to the style sheet of every page.
      style={sheet ? { maxWidth: '50rem' } : undefined}
    >
      <div className="grid gap-2">
        {!tabs && trail.length > 0 && <Breadcrumbs trail={trail} title={title} />}
        <PageHeader
          picture={picture}
          title={heading || title}
          badge={badge}
          description={description}
          actions={actions}
          actionsFill={sheet}
        />
      </div>
      {tabs}
      {children}
    </div>
  )
}
