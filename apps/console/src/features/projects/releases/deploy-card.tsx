import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ReleaseLogButton } from './release-log-button.tsx'
import { useReleases } from './release-queries.ts'
import { failureText, sizeText } from './release-texts.ts'
import { DeployZone } from './upload/deploy-zone.tsx'

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
          <Alert
            kind="failure"
            actions={<ReleaseLogButton projectId={project.id} number={newest.number} />}
          >
            {m.release_failed({ number: newest.number, reason: failureText(newest) ?? '' })}
          </Alert>
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
