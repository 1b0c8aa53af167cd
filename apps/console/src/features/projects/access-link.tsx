import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import { buttonClass } from '../../ui/button.tsx'
import { linkClass } from '../../ui/external-link.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { accessUrl } from './access-url.ts'
import { projectStates } from './project-states.ts'

/** Opens a project's site in a new tab; while there is none, it says why. */
export function AccessLink({ project, button }: { project: Project; button?: boolean }) {
  const url = accessUrl(project)
  if (url === null)
    return (
      // HTML's placeholder link: it cannot be followed, and is still announced as a link.
      // biome-ignore lint/a11y/useValidAnchor: it has no address yet
      <a
        role="link"
        aria-disabled="true"
        className={button ? buttonClass('secondary') : 'whitespace-nowrap text-muted'}
      >
        {projectStates[project.state].closed?.()}
      </a>
    )
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener"
      title={url}
      className={button ? buttonClass('secondary') : `${linkClass} whitespace-nowrap`}
    >
      <span aria-hidden>{m.projects_open()}</span>
      <VisuallyHidden>
        {m.projects_open_named({ name: project.name })} ({m.shell_new_tab()})
      </VisuallyHidden>
      <ExternalLink
        className={button ? 'size-4' : 'ml-1 inline size-3.5 align-[-0.125em]'}
        aria-hidden
      />
    </a>
  )
}
