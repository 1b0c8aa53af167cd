import CircleAlert from 'lucide-react/icons/circle-alert'
import Inbox from 'lucide-react/icons/inbox'
import SearchX from 'lucide-react/icons/search-x'
import type { ComponentType, ReactNode } from 'react'

type Texts = {
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The state replaces the whole page: its title is the page's heading. */
  page?: boolean
}

const State = ({
  icon: Icon,
  title,
  children,
  action,
  page,
}: Texts & { icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }> }) => (
  <div className="grid justify-items-center gap-2 rounded-md border border-dashed border-line px-4 py-12 text-center">
    <Icon className="size-6 text-muted" aria-hidden />
    {page ? (
      <h1 tabIndex={-1} className="font-medium wrap-anywhere">
        {title}
      </h1>
    ) : (
      <p className="font-medium wrap-anywhere">{title}</p>
    )}
    {children && <div className="max-w-md text-muted wrap-anywhere">{children}</div>}
    {action && <div className="pt-2">{action}</div>}
  </div>
)

/** An empty list: says what to do next, with the button. */
export const EmptyState = (texts: Texts) => <State icon={Inbox} {...texts} />

/** The requested resource does not exist. */
export const MissingState = (texts: Texts) => <State icon={SearchX} {...texts} />

/** Loading failed: says why and offers a retry. */
export const ErrorState = (texts: Texts) => (
  <div role="alert">
    <State icon={CircleAlert} {...texts} />
  </div>
)
