import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import Pencil from 'lucide-react/icons/pencil'
import { buttonClass } from '../../../ui/button.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { accessUrl, siteUrl } from './access-url.ts'
import { OpenSite } from './open-site.tsx'

/** Icons that open the site, and its editor if it has one, in a new tab; none without a site. */
export function AccessIcons({ project }: { project: Project }) {
  const { name } = project
  const [site, editor] = [siteUrl(project), accessUrl(project)]
  if (site === null) return null
  return (
    // The icons end where the padding of the cell begins. They do not make the row higher.
    <span className="on-row-hover relative -mx-2 flex pointer-coarse:-my-2">
      {editor !== null && (
        <IconLink
          url={editor}
          icon={Pencil}
          label={m.projects_open()}
          name={m.projects_open_named({ name })}
        />
      )}
      <IconLink
        url={site}
        icon={ExternalLink}
        label={m.projects_visit()}
        name={m.projects_visit_named({ name })}
      />
    </span>
  )
}

const IconLink = ({
  url,
  icon: Icon,
  label,
  name,
}: {
  url: string
  icon: typeof ExternalLink
  label: string
  name: string
}) => (
  <Tooltip text={label}>
    <OpenSite url={url} name={name} className={buttonClass('quiet', true)}>
      <Icon className="size-4" aria-hidden />
    </OpenSite>
  </Tooltip>
)
