import { day, minute } from '@slipway/contract/limits'
import type { Project, ProjectDetail } from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { formatCharge, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { activeInvoiceQuery } from '../../../api/queries.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { useProfile, useTeams } from '../../../shell/session/account-context.ts'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ProjectDomain } from '../domains/project-domain.tsx'
import { CreationDuration } from '../progress/project-progress.tsx'
import { projectStates } from '../project-states.ts'
import { softwareName } from '../runtime-names.ts'

/** How often the cost is refetched: no event announces that a billed hour begins. */
const costRefetchMs = 5 * minute

/**
 * A label and its value. `lines` reserves the height of the value while it loads, so that the
 * layout does not shift.
 */
const Fact = ({
  label,
  lines = 1,
  wide,
  children,
}: {
  label: string
  lines?: keyof typeof heights
  /** The whole row of a grid with two columns. */
  wide?: boolean
  children: ReactNode
}) => (
  <div className={classNames('grid min-w-0 content-start gap-0.5', wide && 'max-lg:col-span-2')}>
    <dt className="text-xs text-muted">{label}</dt>
    <dd
      className={classNames(
        'flex min-w-0 flex-wrap items-start gap-x-2 wrap-anywhere',
        heights[lines],
      )}
    >
      {children}
    </dd>
  </div>
)

const heights = { 1: 'min-h-6', 2: 'min-h-11', 3: 'min-h-13' }

const gridClass = 'grid grid-cols-2 gap-4 lg:grid-cols-[5fr_3fr_3fr]'

const regionOf = ({ metadata }: ProjectDetail) =>
  metadata.find(({ key }) => key === 'region')?.value

/** A line as high as the others. A class would add to the style sheet of every page. */
const smallLine = { fontSize: '0.75rem', lineHeight: '1.25rem' }

/** In the first week it is of interest how long the creation took. */
const isNew = ({ createdAt }: Project) => Date.now() - Date.parse(createdAt) < 7 * day

function TeamLink({ team }: { team: Team | undefined }) {
  return team ? (
    <span className="min-w-0">
      <TextLink to={paths.team(team.id)}>{team.name}</TextLink>
    </span>
  ) : (
    '–'
  )
}

/** The cost of the project this month, so far and expected; only the team's owner sees it. */
function Cost({ project, team }: { project: Project; team: Team | undefined }) {
  const isOwn = useProfile().id === team?.userId
  const { data, isPending } = useQuery({
    ...activeInvoiceQuery,
    enabled: isOwn,
    refetchInterval: costRefetchMs,
  })
  if (!isOwn) return <span className="text-muted">{m.projects_cost_owner()}</span>
  if (isPending) return <Skeleton className="w-32" />
  if (!data) return '–'
  const cost = data.projects.find(({ projectId }) => projectId === project.id)
  return (
    <span>
      <span className="font-semibold">{formatCharge(cost?.amount ?? '0', getLocale())}</span>
      <span className="block text-muted">
        {m.projects_cost_expected({ amount: formatCharge(cost?.expected ?? '0', getLocale()) })}
      </span>
    </span>
  )
}

export function SiteFacts({
  project,
  hasListDataOnly,
  showsCreationDuration,
}: {
  project: ProjectDetail
  /** Only the list's data is loaded yet. */
  hasListDataOnly: boolean
  showsCreationDuration: boolean
}) {
  const team = useTeams().find(({ id }) => id === project.teamId)
  const { isEditable } = projectStates[project.state]
  return (
    <dl className={gridClass}>
      <Fact label={m.projects_domain()} lines={isEditable ? 3 : 1} wide>
        <ProjectDomain project={project} />
      </Fact>
      <Fact label={m.projects_cost()} lines={2}>
        <Cost project={project} team={team} />
      </Fact>
      <Fact label={m.projects_team()}>
        <TeamLink team={team} />
      </Fact>
      <Fact label={m.projects_runtime()}>
        <span>{softwareName(project)}</span>
      </Fact>
      <Fact label={m.projects_region()}>
        {hasListDataOnly ? <Skeleton className="w-24" /> : <span>{regionOf(project) ?? '–'}</span>}
      </Fact>
      <Fact label={m.projects_created()} lines={2} wide>
        <div>
          <RelativeTime value={project.createdAt} />
          {/* One line either way: the skeleton has the same height. */}
          {showsCreationDuration && project.progress && isNew(project) ? (
            <CreationDuration progress={project.progress} />
          ) : (
            <p style={smallLine} className="text-muted">
              {m.projects_updated()}: <RelativeTime value={project.updatedAt} />
            </p>
          )}
        </div>
      </Fact>
    </dl>
  )
}

export const SiteFactsSkeleton = () => (
  <dl className={gridClass}>
    {[
      { label: m.projects_domain(), lines: 3 as const, wide: true },
      { label: m.projects_cost(), lines: 2 as const },
      { label: m.projects_team() },
      { label: m.projects_runtime() },
      { label: m.projects_region() },
      { label: m.projects_created(), lines: 2 as const, wide: true },
    ].map((fact) => (
      <Fact key={fact.label} {...fact}>
        <Skeleton className="w-24" />
      </Fact>
    ))}
  </dl>
)
