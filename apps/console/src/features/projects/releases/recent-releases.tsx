import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useReleases } from './release-queries.ts'
import { releaseStates } from './release-texts.ts'
import { takesFiles } from './upload/accepted-files.ts'
import { DropBox } from './upload/drop-box.tsx'

/** How many are shown. The card has their height before they arrive. */
const shownCount = 4
const bodyClass = 'min-h-48'

/** The newest releases of a project; before the first, what to deploy. */
export function RecentReleases({ project }: { project: Project }) {
  const { data, isPending } = useReleases(project.id)
  const releases = data?.items ?? []
  return (
    <Card
      title={m.release_title()}
      actions={
        releases.length > 0 && (
          <TextLink to={paths.releases(project.key)}>{m.release_show_all()}</TextLink>
        )
      }
    >
      <div className={bodyClass}>
        {releases.length > 0 ? (
          <ol className="-my-3 divide-y divide-line">
            {releases.slice(0, shownCount).map((release) => (
              <RecentRelease key={release.id} release={release} />
            ))}
          </ol>
        ) : isPending ? (
          <RowsOfSkeletons />
        ) : takesFiles(project) ? (
          <DropBox project={project} />
        ) : (
          <p className="text-muted">{m.release_none_version()}</p>
        )}
      </div>
    </Card>
  )
}

function RecentRelease({
  release: { number, state, createdBy, createdAt, finishedAt },
}: {
  release: Release
}) {
  const { label, tone, icon } = releaseStates[state]
  return (
    <li className="flex min-h-13 items-center gap-3">
      <span className="font-medium whitespace-nowrap">{m.release_number({ number })}</span>
      <Badge tone={tone} icon={icon}>
        {label()}
      </Badge>
      <span className="ml-auto flex min-w-0 flex-wrap justify-end gap-x-2 text-right text-muted">
        {createdBy && <span className="min-w-0 wrap-anywhere">{createdBy.name}</span>}
        <RelativeTime value={finishedAt ?? createdAt} />
      </span>
    </li>
  )
}

const RowsOfSkeletons = () => (
  <div className="grid gap-8 py-2">
    {['w-4/5', 'w-3/5', 'w-3/4', 'w-2/3'].map((width) => (
      <Skeleton key={width} className={width} />
    ))}
  </div>
)

export const RecentReleasesSkeleton = () => (
  <Card title={m.release_title()}>
    <div className={bodyClass}>
      <RowsOfSkeletons />
    </div>
  </Card>
)
