import { day } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import type { SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Hourglass from 'lucide-react/icons/hourglass'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { BackupDownload } from './backup-download.tsx'
import { backupTime, factsText, failureText } from './backup-texts.ts'
import { RestoreButton } from './restore-button.tsx'

/** An older time is a date, which the row shows already. */
const isThisWeek = (time: string) => Date.now() - Date.parse(time) < 7 * day

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
    <li className="flex items-center justify-between gap-3 px-4 py-3 sm:px-6">
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2">
          <h2 className="font-medium">{backupTime(createdAt)}</h2>
          {isThisWeek(createdAt) && (
            <span className="text-muted">
              <RelativeTime value={createdAt} />
            </span>
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
      {state === 'creating' && (
        <Badge tone="secondary" icon={Hourglass}>
          {m.backups_creating()}
        </Badge>
      )}
      {state === 'failed' && (
        <Badge tone="danger" icon={CircleAlert}>
          {m.backups_state_failed()}
        </Badge>
      )}
      {state === 'ready' && (
        <div className="-mr-3 flex shrink-0">
          {canRestore && <RestoreButton project={project} backup={backup} />}
          <BackupDownload projectId={project.id} backup={backup} />
        </div>
      )}
    </li>
  )
}
