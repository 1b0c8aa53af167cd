import type { Project, ProjectId } from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import { useMemo } from 'react'
import { paths } from '../../../paths.ts'
import { useLocale } from '../../../shell/language/locale.ts'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../../shell/lists/list-table.tsx'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { useChoice } from '../../../shell/navigation/use-choice.ts'
import { ShortId } from '../../../shell/page/short-id.tsx'
import { useTeams } from '../../../shell/session/account-context.ts'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type Column, rowLinkClass } from '../../../ui/table/table-parts.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { AccessLink } from '../access/access-link.tsx'
import { siteHost, siteUrl } from '../access/access-url.ts'
import { displayName } from '../display-name.ts'
import { ProjectStateBadge } from '../project-state-badge.tsx'
import { projectStates, type ShownState, shownState, shownStates } from '../project-states.ts'
import { softwareName } from '../runtime-names.ts'
import { SiteTile } from '../site/site-tile.tsx'
import { idsWithDuplicateName } from './duplicate-names.ts'

/** From states that need attention to final ones. */
const stateOrder: ShownState[] = [
  'failed_creating',
  'suspended',
  'pending',
  'creating',
  'modifying',
  'ready',
  'stopped',
  'deleting',
  'deleted',
]

const nameOf = (teams: readonly Team[], teamId: Project['teamId']) =>
  teams.find(({ id }) => id === teamId)?.name ?? null

const columnsFor = (
  teams: readonly Team[],
  duplicateIds: ReadonlySet<ProjectId>,
): Column<Project>[] => [
  {
    key: 'name',
    header: m.projects_name(),
    sortBy: displayName,
    cell: (project) => <ProjectNameCell project={project} withKey={duplicateIds.has(project.id)} />,
    primary: true,
    skeleton: 'h-9 w-40',
  },
  {
    key: 'state',
    header: m.projects_state(),
    sortBy: (project) => stateOrder.indexOf(shownState(project)),
    cell: (project) => <ProjectStateBadge project={project} />,
    inCompact: true,
    skeleton: 'w-20',
  },
  {
    key: 'runtime',
    header: m.projects_meta_runtime_version(),
    sortBy: softwareName,
    cell: (project) => <span className="text-muted">{softwareName(project)}</span>,
    skeleton: 'w-24',
  },
  {
    key: 'team',
    header: m.projects_team(),
    sortBy: ({ teamId }) => nameOf(teams, teamId),
    cell: ({ teamId }) => nameOf(teams, teamId) ?? '–',
    userText: true,
    skeleton: 'w-28',
  },
  {
    key: 'access',
    header: m.projects_access(),
    cell: (project) => <Access project={project} />,
    inCompact: true,
    skeleton: 'w-20',
  },
  {
    key: 'updated',
    header: m.projects_updated(),
    sortBy: ({ updatedAt }) => Date.parse(updatedAt),
    cell: ({ updatedAt }) => (
      <span className="text-muted">
        <RelativeTime value={updatedAt} />
      </span>
    ),
    wideOnly: true,
    skeleton: 'w-24',
  },
  {
    key: 'id',
    header: m.projects_id(),
    // A UUIDv7 begins with its time, so ids sort by creation.
    sortBy: ({ id }) => id,
    cell: ({ id, name }) => (
      <span className="relative">
        <ShortId id={id} label={m.projects_copy_id({ name })} />
      </span>
    ),
    wideOnly: true,
    skeleton: 'w-20',
  },
]

/** The access link, with a padlock if visitors reach the site by https. */
const Access = ({ project }: { project: Project }) => (
  <span className="relative">
    <AccessLink project={project} />
    {siteUrl(project)?.startsWith('https:') && (
      <span title={m.domains_padlock()} className="ml-2 whitespace-nowrap">
        <Lock className="inline size-3.5 align-[-0.125em] text-muted" aria-hidden />
        <VisuallyHidden>{m.domains_padlock()}</VisuallyHidden>
      </span>
    )}
  </span>
)

// Cut off, so that all rows have the same height; the page of the project has the whole name.
const nameClass =
  'grid min-w-0 text-left sm:max-md:max-w-24 md:max-lg:max-w-36 lg:max-w-48 lg:@min-[68rem]:max-w-72'

const nameClasses = {
  existing: 'rounded-md font-medium',
  deleted: 'rounded-md text-muted line-through',
}

const secondLineClass = 'text-xs font-normal text-muted'

/**
 * The tile, the name and the address; the key instead of the address if another project has the
 * same name; on a phone also what the project runs. The link's target is the whole row.
 */
const ProjectNameCell = ({ project, withKey }: { project: Project; withKey: boolean }) => (
  <span className="flex min-w-0 items-center gap-3">
    <SiteTile project={project} />
    <span className={nameClass}>
      <Link
        to={paths.project(project.key)}
        aria-describedby={withKey ? `key-${project.id}` : undefined}
        title={displayName(project)}
        className={classNames(
          'truncate',
          nameClasses[project.state === 'deleted' ? 'deleted' : 'existing'],
          rowLinkClass,
        )}
      >
        {displayName(project)}
      </Link>
      {withKey ? (
        <span
          id={`key-${project.id}`}
          className={classNames(secondLineClass, 'font-mono wrap-anywhere')}
        >
          {project.key}
        </span>
      ) : (
        siteUrl(project) !== null && <Address host={siteHost(project)} />
      )}
      {useIsPhone() && (
        <span className={classNames(secondLineClass, 'truncate')}>{softwareName(project)}</span>
      )}
    </span>
  </span>
)

/** One line: without its own minimum width, a long address does not widen the column. */
const Address = ({ host }: { host: string }) => (
  <span title={host} className={classNames(secondLineClass, 'grid')}>
    <span className="truncate">{host}</span>
  </span>
)

const filtersFor = (teams: readonly Team[]): RowFilter<Project>[] => [
  {
    key: 'state',
    label: m.projects_state(),
    all: m.tables_all_states(),
    options: shownStates.map((value) => ({ value, label: projectStates[value].label() })),
    matches: (project, value) => shownState(project) === value,
  },
  // With one team there is nothing to filter.
  ...(teams.length > 1
    ? [
        {
          key: 'team',
          label: m.projects_team(),
          all: m.tables_all_teams(),
          options: teams.map(({ id, name }) => ({ value: id, label: name })),
          matches: ({ teamId }: Project, value: string) => teamId === value,
        },
      ]
    : []),
]

const searchIn = ({ id, key, name, domain, displayDomain, defaultUrl }: Project) => [
  name,
  key,
  domain,
  displayDomain,
  defaultUrl,
  { id },
]

/** The table's definition with and without rows. Memoized, because a list may be long. */
function useDefinition(projects: readonly Project[]) {
  const teams = useTeams()
  const locale = useLocale()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts depend on the language
  return useMemo(
    () => ({
      list: 'projects',
      caption: m.projects_list_caption(),
      searchLabel: m.tables_search_projects(),
      totalLabel: (count: number) => m.tables_total_projects({ count }),
      columns: columnsFor(teams, idsWithDuplicateName(projects)),
      filters: filtersFor(teams),
      compact: true,
    }),
    [teams, projects, locale],
  )
}

/** The projects; deleted ones on request, or when the state is chosen. */
export function ProjectTable({ projects }: { projects: readonly Project[] }) {
  const [deleted, setDeleted] = useChoice('deleted', ['hidden', 'shown'])
  const isChosen = useSearchParam('state') === 'deleted'
  const existing = useMemo(() => projects.filter(({ state }) => state !== 'deleted'), [projects])
  const count = projects.length - existing.length
  const isOnlyDeleted = existing.length === 0
  const isShown = deleted === 'shown' || isChosen || isOnlyDeleted
  const definition = useDefinition(projects)
  return (
    <div className="grid justify-items-start gap-4 *:w-full">
      <ListTable
        {...definition}
        rows={isShown ? projects : existing}
        rowKey={keyOf}
        searchIn={searchIn}
      />
      {count > 0 && !isChosen && !isOnlyDeleted && (
        <div>
          <Button
            variant="quiet"
            aria-expanded={isShown}
            onClick={() => setDeleted(isShown ? 'hidden' : 'shown')}
          >
            {isShown ? m.projects_deleted_hide() : m.projects_deleted_show({ count })}
          </Button>
        </div>
      )}
    </div>
  )
}

const keyOf = ({ id }: Project) => id

const none: readonly Project[] = []

export const ProjectTableSkeleton = () => <ListTableSkeleton {...useDefinition(none)} />
