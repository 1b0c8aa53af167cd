import type { Project, ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/navigation/link.tsx'
import { CopyValue } from '../../shell/page/copy-value.tsx'
import { useTeams } from '../../shell/session/account-context.ts'
import { RelativeTime } from '../../shell/time/time.tsx'
import { Card } from '../../ui/card.tsx'
import { Detail, DetailList } from '../../ui/detail-list.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProjectDomain } from './domains/project-domain.tsx'
import { CreationDuration } from './progress/project-progress.tsx'
import { ProjectName } from './project-name.tsx'
import { ProjectStateBadge } from './project-state-badge.tsx'
import { projectStates, shownState } from './project-states.ts'
import { runtimeNames } from './runtime-names.ts'

const Code = ({ label, text }: { label: string; text: string }) => (
  <Detail label={label}>
    <CopyValue text={text} label={m.projects_copy({ label })}>
      <code className="font-mono text-xs sm:text-sm">{text}</code>
    </CopyValue>
  </Detail>
)

function StateDetail({ project }: { project: Project }) {
  const { failure } = project
  const { hint, isTransient } = projectStates[shownState(project)]
  // In a final state the failure explains the state.
  const shownHint = failure && !isTransient ? undefined : hint?.()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ProjectStateBadge project={project} />
      {shownHint && <span className="text-muted">{shownHint}</span>}
    </div>
  )
}

/** The team that owns the project. */
function ProjectTeam({ teamId }: Pick<Project, 'teamId'>) {
  const team = useTeams().find(({ id }) => id === teamId)
  return team ? <TextLink to={paths.team(team.id)}>{team.name}</TextLink> : '–'
}

/** The default URL; a link while the site exists. */
const DefaultUrl = ({ project }: { project: Project }) =>
  projectStates[shownState(project)].noSiteReason ? (
    <span className="text-muted">{project.defaultUrl}</span>
  ) : (
    <ExternalLink href={project.defaultUrl} newTab={m.shell_new_tab()}>
      {project.defaultUrl}
    </ExternalLink>
  )

/** The project's fields; some are editable. */
export const ProjectDetails = ({
  project,
  withCreation,
}: {
  project: ProjectDetail
  /** Shows the duration of the creation, unless the page shows it elsewhere. */
  withCreation: boolean
}) => (
  <Card title={m.projects_details()}>
    <DetailList>
      <Detail label={m.projects_name()}>
        <ProjectName project={project} />
      </Detail>
      <Detail label={m.projects_team()}>
        <ProjectTeam teamId={project.teamId} />
      </Detail>
      <Detail label={m.projects_runtime()}>{runtimeNames[project.runtime]()}</Detail>
      <Code label={m.projects_key()} text={project.key} />
      <Code label={m.projects_id()} text={project.id} />
      <Detail label={m.projects_state()}>
        <StateDetail project={project} />
      </Detail>
      <Detail label={m.projects_domain()}>
        <ProjectDomain project={project} />
      </Detail>
      <Detail label={m.projects_default_url()}>
        <CopyValue
          text={project.defaultUrl}
          label={m.projects_copy({ label: m.projects_default_url() })}
        >
          <DefaultUrl project={project} />
        </CopyValue>
      </Detail>
      <Detail label={m.projects_created()}>
        <RelativeTime value={project.createdAt} />
        {withCreation && project.progress && <CreationDuration progress={project.progress} />}
      </Detail>
      <Detail label={m.projects_updated()}>
        <RelativeTime value={project.updatedAt} />
      </Detail>
    </DetailList>
  </Card>
)

export const ProjectDetailsSkeleton = () => (
  <Card title={m.projects_details()}>
    <DetailList>
      {[
        m.projects_name(),
        m.projects_team(),
        m.projects_runtime(),
        m.projects_key(),
        m.projects_id(),
        m.projects_state(),
        m.projects_domain(),
        m.projects_default_url(),
        m.projects_created(),
        m.projects_updated(),
      ].map((label) => (
        <Detail key={label} label={label}>
          <Skeleton className="w-48" />
        </Detail>
      ))}
    </DetailList>
  </Card>
)
