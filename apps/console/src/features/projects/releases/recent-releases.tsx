import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { lazy, Suspense } from 'react'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { changesInShort } from './release-changes.ts'
import { useReleases } from './release-queries.ts'
import { sizeText } from './release-size.ts'
import { releaseState, sourceText } from './release-texts.ts'
import { acceptsFiles, filesHint, noReleasesHint } from './upload/accepted-files.ts'

// The texts of all failures are large, and most projects have none.
const FailureReason = lazy(async () => ({
  default: (await import('./failed-release.tsx')).FailureReason,
}))

const shownCount = 4

const rowsClass = '-my-3 divide-y divide-line sm:grid sm:gap-x-3'

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
      <QueryView
        inCard
        query={{ ...query, data: releases }}
        item={m.release_item_list()}
        loading={<RowsOfSkeletons />}
        empty={
          <p className="py-12 text-center text-muted">
            {acceptsFiles(project) ? filesHint(project) : noReleasesHint(project)}
          </p>
        }
      >
        {(loaded) => (
          <ol className={`${rowsClass} sm:grid-cols-[auto_auto_minmax(0,1fr)_auto]`}>
            {loaded.slice(0, shownCount).map((release) => (
              <RecentRelease key={release.id} project={project} release={release} />
            ))}
          </ol>
        )}
      </QueryView>
    </Card>
  )
}

/** How much differs from the release before, unless its files come from elsewhere. */
const summaryOf = (release: Release) =>
  sourceText(release) ??
  // A release of an image has no files.
  (release.image === null ? (changesInShort(release) ?? sizeText(release) ?? undefined) : undefined)

function RecentRelease({ project, release }: { project: Project; release: Release }) {
  const { number, createdBy, createdAt } = release
  const { label, tone, icon } = releaseState(release, project)
  return (
    <li className="flex min-h-13 flex-wrap content-center items-center gap-x-3 gap-y-1 py-2 sm:col-span-full sm:grid sm:grid-cols-subgrid">
      <span className="font-medium whitespace-nowrap">{m.release_number({ number })}</span>
      <span>
        <Badge tone={tone} icon={icon}>
          {label()}
        </Badge>
      </span>
      {/* On a phone a line of its own, below. */}
      <span className="min-w-0 text-muted max-sm:order-last max-sm:w-full">
        {release.failure ? (
          <Suspense>
            <FailureReason release={release} />
          </Suspense>
        ) : (
          <span className="block truncate">{summaryOf(release)}</span>
        )}
      </span>
      <span
        className="ml-auto flex items-center justify-end gap-2 text-muted"
        title={createdBy?.name}
      >
        <RelativeTime value={createdAt} />
        {createdBy && (
          <>
            <span className="flex max-sm:hidden">
              <Avatar name={createdBy.name} />
            </span>
            <VisuallyHidden>{createdBy.name}</VisuallyHidden>
          </>
        )}
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
    <RowsOfSkeletons />
  </Card>
)
