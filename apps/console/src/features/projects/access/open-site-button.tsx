import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import { buttonClass } from '../../../ui/button.tsx'
import { siteUrl } from './access-url.ts'
import { OpenSite } from './open-site.tsx'

/** The next step of an empty state that fills with visits; none without a site. */
export function OpenSiteButton({ project }: { project: Project }) {
  const url = siteUrl(project)
  if (url === null) return null
  return (
    <OpenSite
      url={url}
      name={m.projects_visit_named({ name: project.name })}
      className={buttonClass()}
    >
      <span aria-hidden>{m.projects_visit()}</span>
      <ExternalLink className="size-4" aria-hidden />
    </OpenSite>
  )
}
