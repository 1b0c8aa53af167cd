import type { Project } from '@slipway/contract/projects'
import type { SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { RowsSkeleton } from '../../../ui/rows-skeleton.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { accessUrl } from '../access/access-url.ts'
import { OpenSite } from '../access/open-site.tsx'
import { projectStates } from '../project-states.ts'
import { ProjectTab } from '../project-tab.tsx'
import { useBackUp } from './back-up-button.tsx'
import { BackupDownload } from './backup-download.tsx'
import { BackupNews } from './backup-news.tsx'
import { useBackups } from './backup-queries.ts'
import { factsText, failureText } from './backup-texts.ts'
import { RestoreButton } from './restore-button.tsx'
import { RestoreNotice } from './restore-notice.tsx'

/** The project has a site whose files can be backed up and restored. */
const hasSite = ({ state }: Project) => state === 'ready' || state === 'modifying'

function noBackupsHint(project: Project) {
  if (hasSite(project)) return m.backups_none_hint()
  return projectStates[project.state].isEditable ? m.backups_none_unready() : undefined
}

function BackupItem({ project, backup }: { project: Project; backup: SiteBackup }) {
  const { state, createdAt, checkedAt } = backup
  const failure = failureText(backup)
  return (
    <li className="grid gap-1 px-4 py-3 sm:px-6">
      <div className="flex min-h-9 flex-wrap items-center gap-2">
        <h2 className="font-medium">
          <RelativeTime value={createdAt} />
        </h2>
        {state === 'creating' && (
          <span className="flex items-center gap-2 text-muted">
            <Spinner />
            {m.backups_creating()}
          </span>
        )}
        {state === 'failed' && (
          <Badge tone="danger" icon={CircleAlert}>
            {m.backups_state_failed()}
          </Badge>
        )}
        {state === 'ready' && (
          <div className="ml-auto flex gap-2">
            {hasSite(project) && <RestoreButton project={project} backup={backup} />}
            <BackupDownload projectId={project.id} backup={backup} />
          </div>
        )}
      </div>
      <p className="text-muted wrap-anywhere">
        {factsText(backup)}
        {checkedAt !== null && (
          <>
            {' · '}
            {m.backups_unchanged()} <RelativeTime value={checkedAt} />
          </>
        )}
      </p>
      {failure && <p>{failure}</p>}
    </li>
  )
}

/** Instead of the list, for a site that writes no files. */
function NoContent({ project }: { project: Project }) {
  if (project.runtime !== 'starter')
    return (
      <EmptyState
        title={m.backups_no_content()}
        action={<ButtonLink to={paths.releases(project.key)}>{m.release_show_all()}</ButtonLink>}
      >
        {m.backups_no_content_hint()}
      </EmptyState>
    )
  const editor = accessUrl(project)
  return (
    <EmptyState
      title={m.backups_starter()}
      action={
        editor && (
          <OpenSite
            url={editor}
            name={m.projects_open_named({ name: project.name })}
            className={buttonClass()}
          >
            <span aria-hidden>{m.projects_open()}</span>
          </OpenSite>
        )
      }
    >
      {m.backups_starter_hint()}
    </EmptyState>
  )
}

const Header = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <p className="text-muted">{m.backups_description()}</p>
    {children}
  </div>
)

function Backups({ project, backups }: { project: Project; backups: readonly SiteBackup[] }) {
  const { button, failure } = useBackUp(
    project.id,
    backups.some(({ state }) => state === 'creating'),
  )
  return (
    <>
      <Header>{hasSite(project) && button}</Header>
      {failure && <Alert kind="failure">{failure}</Alert>}
      {backups.length === 0 ? (
        <EmptyState title={m.backups_none()}>{noBackupsHint(project)}</EmptyState>
      ) : (
        <ol className="divide-y divide-line rounded-md border border-line bg-surface">
          {backups.map((backup) => (
            <BackupItem key={backup.id} project={project} backup={backup} />
          ))}
        </ol>
      )}
    </>
  )
}

/** The shape of the list; without one for a runtime that never writes files. */
const BackupsSkeleton = ({ project }: { project: Project }) =>
  project.runtime === 'starter' || project.runtime === 'static' ? (
    <Skeleton className="w-full" height="h-40" />
  ) : (
    <>
      <Header>
        <Skeleton className="w-28" height="control-height" />
      </Header>
      <RowsSkeleton />
    </>
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
        {hasContent ? (
          <Backups project={project} backups={items} />
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
