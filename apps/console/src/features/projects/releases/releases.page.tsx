import type { Project } from '@slipway/contract/projects'
import { type Release, rollBackRelease } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { useAction } from '../../../forms/use-action.ts'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { RowsSkeleton } from '../../../ui/rows-skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { projectStates } from '../project-states.ts'
import { ProjectTab } from '../project-tab.tsx'
import { DeploymentRow } from './deployment.tsx'
import { failureText } from './failure-texts.ts'
import { ReleaseImage } from './image/release-image.tsx'
import { changesText } from './release-changes.ts'
import { ReleaseLogButton } from './release-log-button.tsx'
import { releasesQuery, useReleases } from './release-queries.ts'
import { sizeText } from './release-size.ts'
import { releaseStates } from './release-texts.ts'
import { noReleasesHint } from './upload/accepted-files.ts'

/** Makes the files of an earlier release live again, without a dialog: it can be undone. */
function RollBackButton({ project, release }: { project: Project; release: Release }) {
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const { number } = release
  const action = useAction(async () => {
    const params = { id: project.id }
    await call(rollBackRelease, { params, body: { number }, idempotencyKey })
    setIdempotencyKey(newIdempotencyKey())
    await queryClient.invalidateQueries(releasesQuery(project.id))
    showToast('info', m.release_rolling_back({ number }))
  })
  return (
    <>
      <Button
        aria-label={m.release_roll_back_named({ number })}
        pending={action.pending}
        onClick={() => action.run()}
      >
        {m.release_roll_back()}
      </Button>
      {action.failure && <Alert kind="failure">{action.failure}</Alert>}
    </>
  )
}

function ReleaseItem({ project, release }: { project: Project; release: Release }) {
  const { label, tone, icon } = releaseStates[release.state]
  const failure = failureText(release)
  const facts = [
    release.rollbackOf !== null && m.release_rollback_of({ number: release.rollbackOf }),
    // An image has no files of its own.
    release.image === null && changesText(release),
    release.image === null && sizeText(release),
  ].filter((fact) => typeof fact === 'string')
  return (
    <li className="grid gap-2 p-4 sm:flex sm:px-6 sm:items-start sm:justify-between sm:gap-4">
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="font-medium">{m.release_number({ number: release.number })}</h2>
          <Badge tone={tone} icon={icon}>
            {label()}
          </Badge>
        </div>
        <p className="text-muted wrap-anywhere">
          {release.createdBy && <>{release.createdBy.name} · </>}
          <RelativeTime value={release.createdAt} />
        </p>
        {release.image && <ReleaseImage number={release.number} image={release.image} />}
        {facts.length > 0 && <p className="text-muted">{facts.join(' · ')}</p>}
        {failure && <Alert kind="failure">{failure}</Alert>}
      </div>
      <div className="flex flex-wrap gap-2">
        <ReleaseLogButton projectId={project.id} number={release.number} />
        {release.state === 'superseded' && projectStates[project.state].isEditable && (
          <RollBackButton project={project} release={release} />
        )}
      </div>
    </li>
  )
}

function ReleaseList({ project }: { project: Project }) {
  const query = useReleases(project.id)
  return (
    <>
      {projectStates[project.state].isEditable && <DeploymentRow project={project} />}
      <QueryView
        query={{ ...query, data: query.data?.items }}
        item={m.release_item_list()}
        loading={<RowsSkeleton />}
        empty={<EmptyState title={m.release_none()}>{noReleasesHint(project)}</EmptyState>}
      >
        {(releases) => (
          <ol className="divide-y divide-line rounded-md border border-line bg-surface">
            {releases.map((release) => (
              <ReleaseItem key={release.id} project={project} release={release} />
            ))}
          </ol>
        )}
      </QueryView>
    </>
  )
}

export const Page = () => (
  <ProjectTab>{(project) => <ReleaseList key={project.id} project={project} />}</ProjectTab>
)
