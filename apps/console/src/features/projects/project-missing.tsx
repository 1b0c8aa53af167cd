import type { ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { MissingState } from '../../ui/states.tsx'

/** Shown when no team of the user has a project with this key. */
export const ProjectMissing = ({ projectKey }: { projectKey: ProjectKey }) => (
  <MissingState
    title={m.projects_missing({ key: projectKey })}
    action={<ButtonLink to={paths.projects()}>{m.projects_show_all()}</ButtonLink>}
  >
    {m.projects_missing_hint()}
  </MissingState>
)
