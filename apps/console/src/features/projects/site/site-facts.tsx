import { minute, second } from '@slipway/contract/limits'
import type { Project, ProjectDetail } from '@slipway/contract/projects'
import type { Team } from '@slipway/contract/teams'
import { formatCharge, formatMoney, formatNumber, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { activeInvoiceQuery, trafficQuery } from '../../../api/queries.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { useProfile, useTeams } from '../../../shell/session/account-context.ts'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { projectStates, shownState } from '../project-states.ts'
import { useReleases } from '../releases/release-queries.ts'
import { softwareName } from '../runtime-names.ts'
import { SparkLine } from './spark-line.tsx'

/** Gateways write every five seconds. */
const trafficInterval = 30 * second

/** No event announces that a billed hour begins. */
const costInterval = 5 * minute

/** A label and its value, which has its line before it arrives, so that nothing moves. */
const Fact = ({
  label,
  long,
  children,
}: {
  label: string
  /** The whole line of a narrow window. */
  long?: boolean
  children: ReactNode
}) => (
  <div className={classNames('grid min-w-0 content-start gap-0.5', long && 'max-lg:col-span-2')}>
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 wrap-anywhere">
      {children}
    </dd>
  </div>
)

const gridClass = 'grid grid-cols-2 gap-x-4 gap-y-4 lg:grid-cols-3'

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

function LastRelease({ project }: { project: Project }) {
  const { data, isPending } = useReleases(project.id)
  const newest = data?.items[0]
  if (isPending) return <Skeleton className="w-24" />
  if (!newest) return <span className="text-muted">{m.release_none()}</span>
  return (
    <>
      <span className="min-w-0">
        <TextLink to={paths.releases(project.key)}>
          {m.release_number({ number: newest.number })}
        </TextLink>
      </span>
      {newest.state === 'failed' && <span className="text-danger">{m.release_state_failed()}</span>}
      <span className="text-muted">
        {'· '}
        <RelativeTime value={newest.finishedAt ?? newest.createdAt} />
      </span>
    </>
  )
}

/** What the project has cost this month, and will have at its end; its owner sees it. */
function Cost({ project, team }: { project: Project; team: Team | undefined }) {
  const isOwn = useProfile().id === team?.userId
  const { data, isPending } = useQuery({
    ...activeInvoiceQuery,
    enabled: isOwn,
    refetchInterval: costInterval,
  })
  if (!isOwn) return <span className="text-muted">{m.projects_cost_owner()}</span>
  if (isPending) return <Skeleton className="w-32" />
  if (!data) return '–'
  const cost = data.projects.find(({ projectId }) => projectId === project.id)
  return (
    <span>
      {formatMoney(cost?.amount ?? '0', getLocale())}{' '}
      <span className="text-muted">
        {m.projects_cost_expected({ amount: formatCharge(cost?.expected ?? '0', getLocale()) })}
      </span>
    </span>
  )
}

function TrafficOfDay({ project }: { project: Project }) {
  const { data, isPending } = useQuery({
    ...trafficQuery(project.id, 'day'),
    refetchInterval: trafficInterval,
  })
  if (isPending) return <Skeleton className="w-32" />
  if (!data) return '–'
  return (
    <>
      <TextLink to={paths.traffic(project.key)}>
        {m.projects_requests({
          count: data.total.requests,
          requests: formatNumber(data.total.requests, getLocale()),
        })}
      </TextLink>
      <SparkLine values={data.points.map(({ requests }) => requests)} />
    </>
  )
}

/** What runs, where, for whom, at what cost, with how many requests. */
export function SiteFacts({
  project,
  loading,
}: {
  project: ProjectDetail
  /** Only the list's data is loaded yet. */
  loading: boolean
}) {
  const team = useTeams().find(({ id }) => id === project.teamId)
  const hasSite = !projectStates[shownState(project)].noSiteReason
  return (
    <dl className={gridClass}>
      <Fact label={m.projects_runtime()}>
        <span>{softwareName(project)}</span>
      </Fact>
      <Fact label={m.projects_region()}>
        {loading ? <Skeleton className="w-24" /> : <span>{regionOf(project) ?? '–'}</span>}
      </Fact>
      <Fact label={m.projects_team()}>
        <TeamLink team={team} />
      </Fact>
      <Fact label={m.projects_last_release()}>
        <LastRelease project={project} />
      </Fact>
      <Fact label={m.projects_cost()} long>
        <Cost project={project} team={team} />
      </Fact>
      <Fact label={m.projects_traffic()} long>
        {hasSite ? <TrafficOfDay project={project} /> : <span className="text-muted">–</span>}
      </Fact>
    </dl>
  )
}

export const SiteFactsSkeleton = () => (
  <dl className={gridClass}>
    {[
      { label: m.projects_runtime() },
      { label: m.projects_region() },
      { label: m.projects_team() },
      { label: m.projects_last_release() },
      { label: m.projects_cost(), long: true },
      { label: m.projects_traffic(), long: true },
    ].map((fact) => (
      <Fact key={fact.label} {...fact}>
        <Skeleton className="w-24" />
      </Fact>
    ))}
  </dl>
)
