import type { Project } from '@slipway/contract/projects'
import type { SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { RowsSkeleton } from '../../../ui/rows-skeleton.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ProjectTab } from '../project-tab.tsx'
import { useBackUp } from './back-up-button.tsx'
import { BackupItem } from './backup-item.tsx'
import { BackupNews } from './backup-news.tsx'
import { useBackups } from './backup-queries.ts'
import { NoBackups, NoContent } from './no-backups.tsx'
import { RestoreNotice } from './restore-notice.tsx'

/** The project has a site whose files can be backed up and restored. */
const hasSite = ({ state }: Project) => state === 'ready' || state === 'modifying'

/** The files of a release are all of its site's, unless the runtime writes others. */
const writesFiles = ({ runtime }: Project) => runtime !== 'static'

const Header = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <p className="text-muted">{m.backups_description()}</p>
    {children}
  </div>
)

function Backups({
  project,
  backups,
  canBackUp,
}: {
  project: Project
  backups: readonly SiteBackup[]
  canBackUp: boolean
}) {
  const { button, failure } = useBackUp(
    project.id,
    backups.some(({ state }) => state === 'creating'),
  )
  return (
    <>
      <Header>{canBackUp && button}</Header>
      {failure && <Alert kind="failure">{failure}</Alert>}
      {backups.length === 0 ? (
        <NoBackups project={project} canBackUp={canBackUp} />
      ) : (
        <ol className="divide-y divide-line rounded-md border border-line bg-surface">
          {backups.map((backup) => (
            <BackupItem
              key={backup.id}
              project={project}
              backup={backup}
              canRestore={hasSite(project)}
            />
          ))}
        </ol>
      )}
    </>
  )
}

/** The shape of the list; without one for a runtime that never writes files. */
const BackupsSkeleton = ({ project }: { project: Project }) =>
  writesFiles(project) ? (
    <>
      <Header>
        <Skeleton className="w-36" height="control-height" />
      </Header>
      <RowsSkeleton />
    </>
  ) : (
    <Skeleton className="w-full" height="h-40" />
  )

const ProjectBackups = ({ project }: { project: Project }) => (
  <QueryView
    query={useBackups(project.id)}
    item={m.backups_item_list()}
    loading={<BackupsSkeleton project={project} />}
  >
    {({ items, restore, hasContent }) => (
      <>
        <BackupNews newest={items[0]} restore={restore} />
        {restore && <RestoreNotice restore={restore} newest={items[0]} />}
        {hasContent || items.length > 0 ? (
          <Backups project={project} backups={items} canBackUp={hasContent && hasSite(project)} />
        ) : (
          <NoContent project={project} />
        )}
      </>
    )}
  </QueryView>
)

export const Page = () => (
  <ProjectTab>{(project) => <ProjectBackups key={project.id} project={project} />}</ProjectTab>
)
