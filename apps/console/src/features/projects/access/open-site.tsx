import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

/** A link to a site in a new tab. */
export const OpenSite = ({
  url,
  name,
  title,
  className,
  children,
}: {
  url: string
  /** Names the site for screen readers. */
  name: string
  title?: string
  className: string
  /** The visible label. */
  children: ReactNode
}) => (
  <a href={url} target="_blank" rel="noopener" title={title} className={className}>
    {children}
    <VisuallyHidden>
      {name} ({m.shell_new_tab()})
    </VisuallyHidden>
  </a>
)
