import type { SiteBackup, SiteRestore } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import { Alert } from '../../../ui/alert.tsx'
import { restoreFailureText, stepText } from './backup-texts.ts'

/** What a restore does; after a failed one the reason, until the next backup. */
export function RestoreNotice({
  restore,
  newest,
}: {
  restore: SiteRestore
  newest: SiteBackup | undefined
}) {
  const step = stepText(restore)
  if (step !== null)
    return (
      <Alert kind="info">
        {step} {m.backups_restoring_visitors()}
      </Alert>
    )
  const failure = restoreFailureText(restore)
  const isSuperseded = (newest?.createdAt ?? '') > (restore.finishedAt ?? '')
  return failure !== null && !isSuperseded && <Alert kind="failure">{failure}</Alert>
}
