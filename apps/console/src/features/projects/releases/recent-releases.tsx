import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptySlip } from '../../../ui/drawings.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useReleases } from './release-queries.ts'
import { releaseStates } from './release-texts.ts'
import { filesHint, takesFiles } from './upload/accepted-files.ts'

/** How many are shown. The card has their height before they arrive. */
const shownCount = 4
const bodyClass = 'min-h-48'

/** Before the first release: what the row above deploys. */
const NoReleases = ({ project }: { project: Project }) => (
  <div className="grid min-h-48 content-center justify-items-center gap-2 text-center">
    <EmptySlip />
    <p className="font-medium">{m.release_none()}</p>
    <p className="text-muted">{filesHint(project)}</p>
  </div>
)

/** The newest releases of a project. */
export function RecentReleases({ project }: { project: Project }) {
  const query = useReleases(project.id)
  const releases = query.data?.items
  return (
    <Card
      title={m.release_title()}
      actions={
        releases &&
        releases.length > 0 && (
          <TextLink to={paths.releases(project.key)}>{m.release_show_all()}</TextLink>
        )
      }
    >
      <div className={bodyClass}>
        <QueryView
          query={{ ...query, data: releases }}
          item={m.release_item_list()}
          loading={<RowsOfSkeletons />}
          empty={
            takesFiles(project) ? (
              <NoReleases project={project} />
            ) : (
              <p className="text-muted">{m.release_none_version()}</p>
            )
          }
        >
          {(loaded) => (
            <ol className="-my-3 divide-y divide-line">
              {loaded.slice(0, shownCount).map((release) => (
                <RecentRelease key={release.id} release={release} />
              ))}
            </ol>
          )}
        </QueryView>
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
