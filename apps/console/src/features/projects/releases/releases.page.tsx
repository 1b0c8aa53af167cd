import type { Project } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import { formatNumber, getLocale, m } from '@slipway/phrases'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass, rowActionsClass } from '../../../ui/button.tsx'
import { RowsSkeleton } from '../../../ui/rows-skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { projectStates } from '../project-states.ts'
import { ProjectTab } from '../project-tab.tsx'
import { DeploymentRow } from './deployment.tsx'
import { failureText } from './failure-texts.ts'
import { ReleaseImage } from './image/release-image.tsx'
import { changesText } from './release-changes.ts'
import { ReleaseLogButton } from './release-log-button.tsx'
import { useReleases } from './release-queries.ts'
import { sizeText } from './release-size.ts'
import { releaseState, sourceText } from './release-texts.ts'
import { RollBackButton } from './roll-back-button.tsx'
import { noReleasesHint } from './upload/accepted-files.ts'

const canRollBack = (project: Project, release: Release) =>
  release.state === 'superseded' && !release.isCurrent && projectStates[project.state].isEditable

function ReleaseItem({
  project,
  release,
  reservesRollBack,
}: {
  project: Project
  release: Release
  /** Another release can be rolled back to: the buttons of all releases align. */
  reservesRollBack: boolean
}) {
  const { label, tone, icon } = releaseState(release, project)
  const failure = failureText(release)
  const facts = [
    sourceText(release),
    // A release of an image has no files.
    release.image === null && changesText(release),
    release.image === null && sizeText(release),
    release.warnings > 0 &&
      m.release_warnings({
        count: release.warnings,
        number: formatNumber(release.warnings, getLocale()),
      }),
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
        {failure && (
          <div className="mt-1">
            <Alert kind="failure">{failure}</Alert>
          </div>
        )}
      </div>
      <div className={rowActionsClass}>
        <ReleaseLogButton inRow projectId={project.id} number={release.number} />
        {canRollBack(project, release) ? (
          <RollBackButton project={project} release={release} />
        ) : (
          reservesRollBack && (
            <span aria-hidden className={`${buttonClass('row')} invisible max-sm:hidden`}>
              {m.release_roll_back()}
            </span>
          )
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
              <ReleaseItem
                key={release.id}
                project={project}
                release={release}
                reservesRollBack={releases.some((other) => canRollBack(project, other))}
              />
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
