import {
  type Project,
  type ProjectId,
  type ShownState,
  shownState,
} from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useMemo } from 'react'
import { paths } from '../../../paths.ts'
import { useLocale } from '../../../shell/language/locale.ts'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../../shell/lists/list-table.tsx'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { useChoice } from '../../../shell/navigation/use-choice.ts'
import { ShortId } from '../../../shell/page/short-id.tsx'
import { useTeams } from '../../../shell/session/account-context.ts'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { NameSkeleton } from '../../../ui/name-skeleton.tsx'
import { type Column, narrowOnlyClass, rowLinkClass } from '../../../ui/table/table-parts.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { AccessIcons } from '../access/access-link.tsx'
import { siteHost, siteUrl } from '../access/access-url.ts'
import { displayName } from '../display-name.ts'
import { ProjectStateBadge } from '../project-state-badge.tsx'
import { projectStates, shownStates } from '../project-states.ts'
import { softwareName } from '../runtime-names.ts'
import { SiteTile } from '../site/site-tile.tsx'
import { idsWithDuplicateName } from './duplicate-names.ts'
import { byLastChange } from './last-change.ts'

/** From states that need attention to final ones. */
const stateOrder: ShownState[] = [
  'failed_creating',
  'crashing',
  'unreachable',
  'suspended',
  'pending',
  'creating',
  'modifying',
  'moving',
  'not_live',
  'ready',
  'stopped',
  'deleting',
  'deleted',
]

const nameOf = (teams: readonly Team[], teamId: Project['teamId']) =>
  teams.find(({ id }) => id === teamId)?.name ?? null

/** One line, so that the column leaves its space to the addresses. */
const TeamName = ({ name }: { name: string | null }) => (
  <span
    title={name ?? undefined}
    className="block max-w-16 truncate text-left text-xs text-muted md:max-w-30"
  >
    {name ?? '–'}
  </span>
)

const LastChange = ({ project: { updatedAt } }: { project: Project }) => (
  <span className="block text-left text-xs whitespace-nowrap text-muted">
    <RelativeTime value={updatedAt} />
  </span>
)

/** The state; below it the last change where that has no column. */
const StateCell = ({ project }: { project: Project }) => (
  <span className="grid text-left max-sm:justify-items-end">
    <span className="flex max-sm:py-0.5">
      <ProjectStateBadge project={project} isInRow />
    </span>
    {/* Below the label, not the icon. */}
    <span className={`flex leading-4 sm:ml-7 ${narrowOnlyClass}`}>
      <LastChange project={project} />
    </span>
  </span>
)

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
    fills: true,
    skeleton: <NameSkeleton picture="site" />,
  },
  {
    key: 'state',
    header: m.projects_state(),
    sortBy: (project) => stateOrder.indexOf(shownState(project)),
    cell: (project) => <StateCell project={project} />,
    inCompact: true,
    skeleton: 'w-20',
  },
  // A user with one team would see the same name in each row.
  ...(teams.length > 1
    ? [
        {
          key: 'team',
          header: m.projects_team(),
          sortBy: ({ teamId }: Project) => nameOf(teams, teamId),
          cell: ({ teamId }: Project) => <TeamName name={nameOf(teams, teamId)} />,
          skeleton: 'w-28',
        },
      ]
    : []),
  {
    key: 'updated',
    header: m.projects_updated(),
    sortBy: ({ updatedAt }) => Date.parse(updatedAt),
    cell: (project) => <LastChange project={project} />,
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
    skeleton: 'w-20',
  },
  {
    key: 'access',
    header: m.projects_access(),
    cell: (project) => <AccessIcons project={project} />,
    actions: true,
    skeleton: 'w-16',
  },
]

const nameClasses = {
  existing: 'rounded-md font-medium',
  deleted: 'rounded-md text-muted line-through',
}

/**
 * The tile, the name, the software and the address. Before and after the life of the site: the key
 * if another project has the same name, else why there is no site. The whole row is the target of
 * the link.
 */
const ProjectNameCell = ({ project, withKey }: { project: Project; withKey: boolean }) => {
  const belowId = `below-${project.id}`
  return (
    <span className="flex min-w-0 items-center gap-3">
      <SiteTile project={project} />
      <span className="grid min-w-0 text-left">
        <span className="flex min-w-0 items-baseline gap-2">
          <Link
            to={paths.project(project.key)}
            aria-describedby={withKey ? belowId : undefined}
            title={displayName(project)}
            className={classNames(
              'truncate',
              nameClasses[project.state === 'deleted' ? 'deleted' : 'existing'],
              rowLinkClass,
            )}
          >
            {displayName(project)}
          </Link>
          {/* Truncated before the name. The most common software would repeat in most rows. */}
          {project.runtime !== 'starter' && (
            <span
              title={softwareName(project)}
              className="shrink-9999 truncate text-xs font-normal text-muted max-sm:hidden"
            >
              {softwareName(project)}
            </span>
          )}
        </span>
        <span id={belowId} className="grid min-w-0 text-xs font-normal text-muted">
          <BelowName project={project} withKey={withKey} />
        </span>
      </span>
    </span>
  )
}

const BelowName = ({ project, withKey }: { project: Project; withKey: boolean }) => {
  const url = siteUrl(project)
  const state = shownState(project)
  // The badge says why there is nothing to open; the address stays.
  const isOff = state === 'stopped' || state === 'suspended' || state === 'not_live'
  if (url !== null || isOff)
    return <Address project={project} isSecure={url?.startsWith('https:') ?? false} />
  if (withKey)
    return (
      <span title={project.key} className="truncate font-mono">
        {project.key}
      </span>
    )
  return projectStates[state].noSiteReason?.()
}

/**
 * One line: the domain with a warning if it no longer leads to the site, else the site's host, with
 * a padlock if visitors reach it by https.
 */
const Address = ({ project, isSecure }: { project: Project; isSecure: boolean }) => {
  const { displayDomain, domainState } = project
  if (displayDomain !== null && domainState === 'failed') {
    const problem = m.needs_domain_failed({ domain: displayDomain, name: displayName(project) })
    return (
      <span title={problem} className="flex min-w-0 items-center gap-1">
        <TriangleAlert className="size-3 shrink-0 text-warning" aria-hidden />
        <span className="truncate" aria-hidden>
          {displayDomain}
        </span>
        <VisuallyHidden>{problem}</VisuallyHidden>
      </span>
    )
  }
  const host = siteHost(project)
  return (
    <span title={host} className="flex min-w-0 items-center gap-1">
      {isSecure && (
        <span title={m.domains_padlock()}>
          <Lock className="size-3 shrink-0" aria-hidden />
          <VisuallyHidden>{m.domains_padlock()}</VisuallyHidden>
        </span>
      )}
      <span className="truncate">{host}</span>
    </span>
  )
}

const filtersFor = (teams: readonly Team[]): RowFilter<Project>[] => [
  {
    key: 'state',
    label: m.projects_state(),
    all: m.tables_all_states(),
    options: shownStates.map((value) => ({ value, label: projectStates[value].label() })),
    matches: (project, value) => shownState(project) === value,
  },
  // A user with one team has nothing to filter.
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
export function ProjectTable({ projects: loaded }: { projects: readonly Project[] }) {
  const projects = useMemo(() => byLastChange(loaded), [loaded])
  const [deleted, setDeleted] = useChoice('deleted', ['hidden', 'shown'])
  const isChosen = useSearchParam('state') === 'deleted'
  const existing = useMemo(() => projects.filter(({ state }) => state !== 'deleted'), [projects])
  const count = projects.length - existing.length
  const isOnlyDeleted = existing.length === 0
  const isShown = deleted === 'shown' || isChosen || isOnlyDeleted
  const definition = useDefinition(projects)
  return (
    <div className="grid gap-2">
      <ListTable
        {...definition}
        rows={isShown ? projects : existing}
        rowKey={keyOf}
        searchIn={searchIn}
      />
      {count > 0 && !isChosen && !isOnlyDeleted && (
        <div>
          <button
            type="button"
            aria-expanded={isShown}
            onClick={() => setDeleted(isShown ? 'hidden' : 'shown')}
            className="control-height rounded-md text-accent hover:underline"
          >
            {isShown ? m.projects_deleted_hide() : m.projects_deleted_show({ count })}
          </button>
        </div>
      )}
    </div>
  )
}

const keyOf = ({ id }: Project) => id

const none: readonly Project[] = []

export const ProjectTableSkeleton = () => <ListTableSkeleton {...useDefinition(none)} />
