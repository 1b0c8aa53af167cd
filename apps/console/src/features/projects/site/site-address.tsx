import { type Project, shownState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { linkClass } from '../../../ui/link-class.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { siteHost, siteUrl } from '../access/access-url.ts'
import { projectStates } from '../project-states.ts'

/**
 * The site's address, a link while visitors can open it. Its dot is red while the site fails, and
 * gray before the first release.
 */
export function SiteAddress({ project }: { project: Project }) {
  const url = siteUrl(project)
  const openColor =
    projectStates[shownState(project)].tone === 'danger' ? 'bg-danger' : 'bg-success'
  const dotColor = url && project.hasSite ? openColor : 'bg-control'
  return (
    // The line ends at the icon of the button, which reaches over its end.
    <p className="-mr-2 flex min-w-0 items-center gap-2 max-sm:text-xs pointer-coarse:-mr-3.5">
      <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', dotColor)} />
      <CopyValue
        text={url ?? project.defaultUrl}
        label={m.projects_copy({ label: m.projects_address() })}
      >
        {url ? (
          <a href={url} target="_blank" rel="noopener" title={url} className={linkClass}>
            {siteHost(project)}
            <VisuallyHidden> ({m.shell_new_tab()})</VisuallyHidden>
          </a>
        ) : (
          <span title={project.defaultUrl} className="text-muted">
            {new URL(project.defaultUrl).host}
          </span>
        )}
      </CopyValue>
    </p>
  )
}
