import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

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
  children: ReactNode
}) => (
  <a href={url} target="_blank" rel="noopener" title={title} className={className}>
    {children}
    <VisuallyHidden>
      {name} ({m.shell_new_tab()})
    </VisuallyHidden>
  </a>
)
