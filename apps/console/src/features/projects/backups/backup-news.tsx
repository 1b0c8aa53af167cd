import type { SiteBackup, SiteRestore } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import { useRef } from 'react'
import { backupTime, failureText } from './backup-texts.ts'

/**
 * The outcome of the newest backup or restore while the page is open, as a text for screen readers;
 * a failed restore is an alert already.
 */
function newsText(newest: SiteBackup | undefined, restore: SiteRestore | null) {
  if (restore?.finishedAt && restore.finishedAt > (newest?.createdAt ?? ''))
    return restore.failure === null
      ? m.backups_restored({ time: backupTime(restore.backupCreatedAt) })
      : ''
  if (newest?.state === 'ready') return m.backups_ready_now()
  return newest?.state === 'failed' ? `${m.backups_failed()} ${failureText(newest) ?? ''}` : ''
}

export function BackupNews({
  newest,
  restore,
}: {
  newest: SiteBackup | undefined
  restore: SiteRestore | null
}) {
  const { id, state, checkedAt } = newest ?? {}
  const current = [id, state, checkedAt, restore?.finishedAt].join(' ')
  const first = useRef(current)
  return (
    <p role="status" className="sr-only">
      {first.current === current ? '' : newsText(newest, restore)}
    </p>
  )
}
