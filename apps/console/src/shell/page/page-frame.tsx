import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Breadcrumbs, type Crumb } from '../navigation/breadcrumbs.tsx'
import { useDocumentTitle } from './document-title.ts'

/** A page of the console: title, heading, actions and content. */
export function PageFrame({
  title,
  heading = title,
  description,
  actions,
  trail = [],
  within = trail.map(({ label }) => label).reverse(),
  narrow,
  children,
}: {
  title: string
  /** Replaces the title in the heading, such as with a skeleton. */
  heading?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** The pages above this one, from the area on. */
  trail?: readonly Crumb[]
  /** The document's title after the page's, from the inside out; the trail by default. */
  within?: readonly string[]
  /** For a form, whose lines are easier to read. */
  narrow?: boolean
  children: ReactNode
}) {
  useDocumentTitle(title, within)
  return (
    <div className={classNames('mx-auto grid gap-6', narrow && 'max-w-xl')}>
      <div className="grid gap-2">
        {trail.length > 0 && <Breadcrumbs trail={trail} title={title} />}
        <PageHeader title={heading} description={description} actions={actions} />
      </div>
      {children}
    </div>
  )
}
