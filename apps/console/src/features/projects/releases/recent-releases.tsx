import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptySlip } from '../../../ui/drawings.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useReleases } from './release-queries.ts'
import { releaseState } from './release-texts.ts'
import { acceptsFiles, filesHint, noReleasesHint } from './upload/accepted-files.ts'

/** How many releases are shown. Beside the traffic, the card reserves their height. */
const shownCount = 4
const bodyClass = 'lg:min-h-48'

/** Before the first release: explains the row above. */
const NoReleases = ({ hint }: { hint: string }) => (
  <div className="grid min-h-48 content-center justify-items-center gap-2 text-center">
    <EmptySlip />
    <p className="font-medium">{m.release_none()}</p>
    <p className="text-muted">{hint}</p>
  </div>
)

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
            <NoReleases
              hint={acceptsFiles(project) ? filesHint(project) : noReleasesHint(project)}
            />
          }
        >
          {(loaded) => (
            <ol className="-my-3 divide-y divide-line">
              {loaded.slice(0, shownCount).map((release) => (
                <RecentRelease key={release.id} project={project} release={release} />
              ))}
            </ol>
          )}
        </QueryView>
      </div>
    </Card>
  )
}

function RecentRelease({ project, release }: { project: Project; release: Release }) {
  const { number, createdBy, createdAt } = release
  const { label, tone, icon } = releaseState(release, project)
  return (
    <li className="flex min-h-13 items-center gap-3">
      <span className="font-medium whitespace-nowrap">{m.release_number({ number })}</span>
      <Badge tone={tone} icon={icon}>
        {label()}
      </Badge>
      <span className="ml-auto flex min-w-0 justify-end gap-x-2 text-right text-muted max-sm:flex-col">
        {createdBy && <span className="min-w-0 wrap-anywhere">{createdBy.name}</span>}
        <RelativeTime value={createdAt} />
      </span>
    </li>
  )
}

const RowsOfSkeletons = () => (
  <div className="-my-3 divide-y divide-line">
    {['w-40', 'w-28', 'w-36', 'w-32'].map((width) => (
      <div key={width} className="flex min-h-13 items-center gap-3">
        <Skeleton className="w-20" />
        <Skeleton className="w-16" />
        <span className={classNames('ml-auto text-right', width)}>
          <Skeleton className="w-full" />
        </span>
      </div>
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
