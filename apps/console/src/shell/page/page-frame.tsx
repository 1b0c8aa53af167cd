import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Breadcrumbs, type Crumb } from '../navigation/breadcrumbs.tsx'
import { useDocumentTitle } from './document-title.ts'

/** A page of the console: its title in the tab and as its heading, its actions, its parts. */
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
  /** What the heading shows where that is more than the title, such as a skeleton. */
  heading?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** The pages above this one, the area's first. */
  trail?: readonly Crumb[]
  /** What the tab says after the title, from the inside out, where that is not the trail. */
  within?: readonly string[]
  /** For a form: a line is as long as it is easy to read. */
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
