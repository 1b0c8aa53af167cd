import ExternalLinkIcon from 'lucide-react/icons/external-link'
import type { ReactNode } from 'react'
import { VisuallyHidden } from './visually-hidden.tsx'

export const linkClass = 'rounded-md text-accent underline-offset-4 hover:underline'

/** A link to another site, in a new tab; `newTab` says so to a screen reader. */
export const ExternalLink = ({
  href,
  children,
  newTab,
}: {
  href: string
  children: ReactNode
  newTab: string
}) => (
  <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
    <span className="wrap-anywhere">{children}</span>
    <ExternalLinkIcon className="ml-1 inline size-3.5 align-[-0.125em]" aria-hidden />
    <VisuallyHidden> ({newTab})</VisuallyHidden>
  </a>
)
