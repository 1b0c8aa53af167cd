import type { Project } from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { useTeams } from '../../shell/account-context.ts'
import { TextLink } from '../../shell/link.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { AccessLink } from './access-link.tsx'
import { CopyValue } from './copy-value.tsx'
import { ProjectStateBadge } from './project-state-badge.tsx'

const columnsFor = (teams: readonly Team[]): Column<Project>[] => [
  {
    key: 'id',
    header: m.projects_id(),
    cell: (project) => <ProjectIdCell project={project} />,
    skeleton: 'w-20',
  },
  {
    key: 'name',
    header: m.projects_name(),
    cell: (project) => <ProjectNameCell project={project} />,
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'state',
    header: m.projects_state(),
    cell: ({ state }) => <ProjectStateBadge state={state} />,
    skeleton: 'w-20',
  },
  {
    key: 'team',
    header: m.projects_team(),
    cell: ({ teamId }) => teams.find(({ id }) => id === teamId)?.name ?? '–',
    skeleton: 'w-28',
  },
  {
    key: 'access',
    header: m.projects_access(),
    cell: (project) => <AccessLink project={project} />,
    skeleton: 'w-20',
  },
]

/** The end of a UUIDv7 tells projects apart; its beginning is the time, alike for neighbours. */
const ProjectIdCell = ({ project: { id, name } }: { project: Project }) => (
  <CopyValue text={id} label={m.projects_copy_id({ name })}>
    <span title={id} className="font-mono text-xs text-muted">
      …{id.slice(-8)}
    </span>
  </CopyValue>
)

const ProjectNameCell = ({ project: { key, name, state } }: { project: Project }) =>
  state === 'deleted' ? (
    <span className="line-through decoration-muted">
      <TextLink to={paths.project(key)}>{name}</TextLink>
    </span>
  ) : (
    <TextLink to={paths.project(key)}>{name}</TextLink>
  )

export const ProjectTable = ({ projects }: { projects: readonly Project[] }) => (
  <Table
    caption={m.projects_list_caption()}
    columns={columnsFor(useTeams())}
    rows={projects}
    rowKey={({ id }) => id}
  />
)

export const ProjectTableSkeleton = () => (
  <TableSkeleton caption={m.projects_list_caption()} columns={columnsFor([])} />
)
