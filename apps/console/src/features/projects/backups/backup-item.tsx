import type { Project } from '@slipway/contract/projects'
import type { SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { BackupDownload } from './backup-download.tsx'
import { backupTime, factsText, failureText } from './backup-texts.ts'
import { RestoreButton } from './restore-button.tsx'

export function BackupItem({
  project,
  backup,
  canRestore,
}: {
  project: Project
  backup: SiteBackup
  canRestore: boolean
}) {
  const { state, createdAt, checkedAt } = backup
  const failure = failureText(backup)
  return (
    <li className="grid gap-2 px-4 py-3 sm:flex sm:items-center sm:justify-between sm:px-6">
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2">
          <h2 className="font-medium">{backupTime(createdAt)}</h2>
          <span className="text-muted">
            <RelativeTime value={createdAt} />
          </span>
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
        </div>
        <p className="text-muted wrap-anywhere">
          {factsText(backup)}
          {failure && ` · ${failure}`}
          {checkedAt !== null && (
            <>
              {' · '}
              {m.backups_unchanged()} <RelativeTime value={checkedAt} />
            </>
          )}
        </p>
      </div>
      {state === 'ready' && (
        <div className="flex gap-2">
          {canRestore && <RestoreButton project={project} backup={backup} />}
          <BackupDownload projectId={project.id} backup={backup} />
        </div>
      )}
    </li>
  )
}
