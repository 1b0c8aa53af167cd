import type { Project } from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useTeams } from '../../shell/account-context.ts'
import { ShortId } from '../../shell/short-id.tsx'
import { linkClass } from '../../ui/external-link.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { AccessLink } from './access-link.tsx'
import { namesakes } from './namesakes.ts'
import { ProjectStateBadge } from './project-state-badge.tsx'
import { shownName } from './shown-name.ts'

const columnsFor = (teams: readonly Team[], alike: ReadonlySet<string>): Column<Project>[] => [
  {
    key: 'id',
    header: m.projects_id(),
    cell: ({ id, name }) => <ShortId id={id} label={m.projects_copy_id({ name })} />,
    last: true,
    skeleton: 'w-20',
  },
  {
    key: 'name',
    header: m.projects_name(),
    cell: (project) => <ProjectNameCell project={project} withKey={alike.has(project.id)} />,
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
    written: true,
    skeleton: 'w-28',
  },
  {
    key: 'access',
    header: m.projects_access(),
    cell: (project) => <AccessLink project={project} />,
    skeleton: 'w-20',
  },
]

// A table takes words apart rather than grow: names keep room for some of them.
const nameClass = 'inline-block text-left sm:min-w-24'

const nameLooks = {
  held: linkClass,
  deleted: 'rounded-md text-muted line-through hover:decoration-2',
}

/** The name; with the key below it, where that alone tells the project from another one. */
const ProjectNameCell = ({ project, withKey }: { project: Project; withKey: boolean }) => (
  <span className={nameClass}>
    <Link
      to={paths.project(project.key)}
      aria-describedby={withKey ? `key-${project.id}` : undefined}
      className={nameLooks[project.state === 'deleted' ? 'deleted' : 'held']}
    >
      {shownName(project)}
    </Link>
    {withKey && (
      <span
        id={`key-${project.id}`}
        className="block font-mono text-xs font-normal wrap-anywhere text-muted"
      >
        {project.key}
      </span>
    )}
  </span>
)

export const ProjectTable = ({ projects }: { projects: readonly Project[] }) => (
  <Table
    caption={m.projects_list_caption()}
    columns={columnsFor(useTeams(), namesakes(projects))}
    rows={projects}
    rowKey={({ id }) => id}
  />
)

export const ProjectTableSkeleton = () => (
  <TableSkeleton caption={m.projects_list_caption()} columns={columnsFor([], new Set())} />
)
