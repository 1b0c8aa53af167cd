import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from './document-title.ts'
import { TextLink } from './link.tsx'

/** A page of the console: its title in the tab and as its heading, its actions, its parts. */
export function PageFrame({
  title,
  heading = title,
  description,
  actions,
  back,
  narrow,
  children,
}: {
  title: string
  /** What the heading shows where that is more than the title, such as a skeleton. */
  heading?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** The page above this one. */
  back?: { to: string; label: string }
  /** For a form: a line is as long as it is easy to read. */
  narrow?: boolean
  children: ReactNode
}) {
  useDocumentTitle(title)
  return (
    <div className={classNames('mx-auto grid gap-6', narrow && 'max-w-xl')}>
      <div className="grid gap-2">
        {back && (
          <div>
            <TextLink to={back.to}>
              <ArrowLeft className="mr-1 inline size-3.5 align-[-0.125em]" aria-hidden />
              {back.label}
            </TextLink>
          </div>
        )}
        <PageHeader title={heading} description={description} actions={actions} />
      </div>
      {children}
    </div>
  )
}
