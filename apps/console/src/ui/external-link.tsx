import ExternalLinkIcon from 'lucide-react/icons/external-link'
import { VisuallyHidden } from './visually-hidden.tsx'

/** A link in a text: a finger finds it a little above and below its line, too. */
export const linkClass =
  'rounded-md text-accent underline-offset-4 hover:underline pointer-coarse:-my-3.5 pointer-coarse:py-3.5'

/** How much of the text the icon goes with where a line ends: alone on a line it would say nothing. */
const boundCharacters = 6

/** A link to another site, in a new tab; `newTab` says so to a screen reader. */
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
    <span className="wrap-anywhere">{children.slice(0, -boundCharacters)}</span>
    <span className="whitespace-nowrap">
      {children.slice(-boundCharacters)}
      <ExternalLinkIcon className="ml-1 inline size-3.5 align-[-0.125em]" aria-hidden />
    </span>
    <VisuallyHidden> ({newTab})</VisuallyHidden>
  </a>
)
