import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { type ComponentProps, useEffect } from 'react'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Card } from '../../../ui/card.tsx'
import { useOnDemand } from '../../../ui/on-demand.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { FailedRelease } from './failed-release.tsx'
import { useReleases } from './release-queries.ts'
import { sizeText } from './release-size.ts'
import { DeployZone } from './upload/deploy-zone.tsx'

const loadFailedRelease = () => import('./failed-release.tsx')

/** The texts of all failures are large, and most projects have none. */
export function LazyFailedRelease(props: ComponentProps<typeof FailedRelease>) {
  const { part, fetch } = useOnDemand(loadFailedRelease)
  useEffect(() => void fetch(), [fetch])
  return part && <part.FailedRelease {...props} />
}

/** What is live now, what becomes of the newest release, and the place to drop the next one. */
export function DeployCard({ project }: { project: Project }) {
  const query = useReleases(project.id)
  const releases = query.data?.items ?? []
  const newest = releases[0]
  const live = releases.find(({ state }) => state === 'live')
  return (
    <Card
      title={m.release_deploy()}
      actions={
        newest && <TextLink to={paths.releases(project.key)}>{m.release_show_all()}</TextLink>
      }
    >
      <div className="grid gap-4">
        {live && <LiveRelease release={live} />}
        {query.isPending && project.runtime !== 'starter' && <Skeleton className="h-5 w-64" />}
        {newest?.state === 'checking' && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner />
            {m.release_checking({ number: newest.number })}
          </p>
        )}
        {newest?.state === 'failed' && (
          <LazyFailedRelease projectId={project.id} release={newest} />
        )}
        <DeployZone project={project} />
      </div>
    </Card>
  )
}

export const DeployCardSkeleton = () => (
  <Card title={m.release_deploy()}>
    <Skeleton className="h-62.5 w-full sm:h-47.5" />
  </Card>
)

const LiveRelease = ({ release }: { release: Release }) => (
  <p className="flex flex-wrap gap-x-2">
    <span className="font-medium">{m.release_live_now({ number: release.number })}</span>
    <span className="text-muted">{sizeText(release)}</span>
    <span className="text-muted">
      <RelativeTime value={release.finishedAt ?? release.createdAt} />
    </span>
  </p>
)
