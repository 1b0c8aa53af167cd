import { minute } from '@slipway/contract/limits'
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
import { useReleases } from '../releases/release-queries.ts'
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
  className,
  children,
}: {
  label: string
  lines?: keyof typeof heights
  className?: string | undefined
  children: ReactNode
}) => (
  <div className={classNames('grid min-w-0 content-start gap-0.5', className)}>
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

const heights = { 1: 'min-h-6', 2: 'min-h-11' }

const narrowGridClass = 'grid grid-cols-2 gap-4 lg:grid-cols-[5fr_3fr_3fr]'
const wideGridClass = 'grid grid-cols-2 gap-4 lg:grid-cols-6'

/** The whole row of a grid with two columns. */
const wideClass = 'max-lg:col-span-2'

const regionOf = ({ metadata }: ProjectDetail) =>
  metadata.find(({ key }) => key === 'region')?.value

function TeamLink({ team }: { team: Team | undefined }) {
  return team ? (
    <span className="min-w-0">
      <TextLink to={paths.team(team.id)}>{team.name}</TextLink>
    </span>
  ) : (
    '–'
  )
}

const noCost = { amount: '0', expected: '0' }

/** The expected cost of the month. */
function expectationOf({ amount, expected }: { amount: string; expected: string }) {
  if (amount !== expected)
    return m.projects_cost_expected({ amount: formatCharge(expected, getLocale()) })
  return Number(amount) > 0 ? m.projects_cost_complete() : m.projects_cost_off()
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
  // A project that was never billed this month has no cost.
  const cost = data.projects.find(({ projectId }) => projectId === project.id) ?? noCost
  return (
    <span>
      <span className="font-semibold">{formatCharge(cost.amount, getLocale())}</span>
      <span className="block text-muted">{expectationOf(cost)}</span>
    </span>
  )
}

const DomainFact = ({ project, className }: { project: Project; className: string }) => (
  <Fact label={m.projects_domain()} className={className}>
    <ProjectDomain project={project} />
  </Fact>
)

/** What visitors see: the release, its author and its age; for a site without releases its age. */
function CurrentRelease({ project }: { project: Project }) {
  const { data, isPending } = useReleases(project.id)
  const live = data?.items.find(({ state }) => state === 'live')
  if (isPending || live)
    return (
      <Fact label={m.projects_release()} lines={2} className={wideClass}>
        {live ? (
          <div className="min-w-0">
            <TextLink to={paths.releases(project.key)}>
              {m.release_number({ number: live.number })}
            </TextLink>
            <p className="text-muted">
              <RelativeTime value={live.createdAt} />
              {live.createdBy && ` · ${live.createdBy.name}`}
            </p>
          </div>
        ) : (
          <Skeleton className="w-24" />
        )}
      </Fact>
    )
  return (
    <Fact label={m.projects_last_change()} lines={2} className={wideClass}>
      <RelativeTime value={project.updatedAt} />
    </Fact>
  )
}

export function SiteFacts({
  project,
  hasListDataOnly,
  isNarrow,
}: {
  project: ProjectDetail
  /** Only the list's data is loaded yet. */
  hasListDataOnly: boolean
  /** Beside a picture: in two rows on a wide screen; otherwise in one, without a release. */
  isNarrow: boolean
}) {
  const team = useTeams().find(({ id }) => id === project.teamId)
  return (
    <dl className={isNarrow ? narrowGridClass : wideGridClass}>
      {isNarrow && <CurrentRelease project={project} />}
      {!isNarrow && <DomainFact project={project} className="col-span-2" />}
      <Fact label={m.projects_cost()} lines={2}>
        <Cost project={project} team={team} />
      </Fact>
      <Fact label={m.projects_team()}>
        <TeamLink team={team} />
      </Fact>
      {isNarrow && <DomainFact project={project} className={wideClass} />}
      <Fact label={m.projects_runtime()} lines={2}>
        <div>
          <p>{softwareName(project)}</p>
          <p className="text-muted">
            {hasListDataOnly ? <Skeleton className="w-24" /> : regionOf(project)}
          </p>
        </div>
      </Fact>
      <Fact label={m.projects_created()} lines={2}>
        <RelativeTime value={project.createdAt} />
      </Fact>
    </dl>
  )
}

export const SiteFactsSkeleton = () => (
  <dl className={narrowGridClass}>
    {[
      { label: m.projects_release(), className: wideClass },
      { label: m.projects_cost() },
      { label: m.projects_team() },
      { label: m.projects_domain(), className: wideClass, lines: 1 as const },
      { label: m.projects_runtime() },
      { label: m.projects_created() },
    ].map((fact) => (
      <Fact key={fact.label} lines={2} {...fact}>
        <Skeleton className="w-24" />
      </Fact>
    ))}
  </dl>
)
