import ExternalLinkIcon from 'lucide-react/icons/external-link'
import { linkClass } from './link-class.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The last characters stay on the icon's line: an icon alone on a line would say nothing. */
const unbrokenCharacters = 6

/** A link to another site in a new tab; `newTab` tells screen readers so. */
export const ExternalLink = ({
  href,
  children,
  newTab,
}: {
  href: string
  children: string
  newTab: string
}) => (
  <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
    <span className="wrap-anywhere">{children.slice(0, -unbrokenCharacters)}</span>
    <span className="whitespace-nowrap">
      {children.slice(-unbrokenCharacters)}
      <ExternalLinkIcon className="ml-1 inline size-3.5 align-[-0.125em]" aria-hidden />
    </span>
    <VisuallyHidden> ({newTab})</VisuallyHidden>
  </a>
)
