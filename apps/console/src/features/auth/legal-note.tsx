import { listServiceLinks } from '@slipway/contract/service-links'
import { m } from '@slipway/phrases'
import { Fragment, type ReactNode } from 'react'
import { useList } from '../../api/use-list.ts'
import { paths } from '../../paths.ts'
import { linkClass } from '../../ui/link-class.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/** Opens in a new tab, so that the partly filled form stays. */
const DocumentLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer" className={`${linkClass} underline`}>
    {children}
    <VisuallyHidden> ({m.shell_new_tab()})</VisuallyHidden>
  </a>
)

/** The terms that signing up accepts. Each language places the links differently. */
export function LegalNote() {
  const pages = useList(listServiceLinks)
  const urlOf = (page: string) => pages?.find(({ id }) => id === page)?.url
  const links: Record<string, ReactNode> = {
    '{terms}': <DocumentLink href={urlOf('terms') ?? paths.terms()}>{m.auth_terms()}</DocumentLink>,
    '{privacy}': (
      <DocumentLink href={urlOf('privacy') ?? paths.privacy()}>{m.auth_privacy()}</DocumentLink>
    ),
  }
  const sentence = m.auth_accept({ terms: '{terms}', privacy: '{privacy}' })
  return (
    <p className="text-center text-xs text-muted pointer-coarse:pt-1">
      {sentence.split(/(\{\w+\})/).map((part) => (
        <Fragment key={part}>{links[part] ?? part}</Fragment>
      ))}
    </p>
  )
}
