import type {
  SiteBackup,
  SiteBackupCause,
  SiteBackupFailure,
  SiteRestore,
  SiteRestoreFailure,
  SiteRestoreStep,
} from '@slipway/contract/site-backups'
import { formatBytes, formatDate, getLocale, m } from '@slipway/phrases'

const causeTexts: Record<SiteBackupCause, () => string> = {
  manual: () => m.backups_cause_manual(),
  daily: () => m.backups_cause_daily(),
  release: () => m.backups_cause_release(),
  restore: () => m.backups_cause_restore(),
}

const failureTexts: Record<SiteBackupFailure, () => string> = {
  too_large: () => m.backups_failure_too_large(),
  cluster_unreachable: () => m.backups_failure_cluster_unreachable(),
  not_stored: () => m.backups_failure_not_stored(),
  not_finished: () => m.backups_failure_not_finished(),
  engine_failed: () => m.backups_failure_engine_failed(),
}

const stepTexts: Record<SiteRestoreStep, (backup: { time: string }) => string> = {
  stop: m.backups_step_stop,
  backup: m.backups_step_backup,
  import: m.backups_step_import,
  undo: m.backups_step_undo,
}

const restoreFailureTexts: Record<SiteRestoreFailure, () => string> = {
  backup_unreadable: () => m.backups_restore_failure_backup_unreadable(),
  not_backed_up: () => m.backups_restore_failure_not_backed_up(),
  no_room: () => m.backups_restore_failure_no_room(),
  cluster_unreachable: () => m.backups_restore_failure_cluster_unreachable(),
  timed_out: () => m.backups_restore_failure_timed_out(),
  engine_failed: () => m.backups_restore_failure_engine_failed(),
}

/** When a backup was made; the texts name it by that. */
export const backupTime = (createdAt: string) => formatDate(createdAt, getLocale(), 'shortDateTime')

/** Why a backup was made, by whom, and its size: `Manual · Ada · 4.2 MB`. */
export const factsText = ({ cause, createdBy, bytes }: SiteBackup) =>
  [causeTexts[cause](), createdBy?.name, bytes !== null && formatBytes(bytes, getLocale())]
    .filter((fact) => typeof fact === 'string')
    .join(' · ')

/** Why a backup failed; null for one that did not. */
export const failureText = ({ failure }: SiteBackup) => failure && failureTexts[failure]()

/** What a restore does now; null once it has ended. */
export const stepText = ({ step, backupCreatedAt }: SiteRestore) =>
  step && stepTexts[step]({ time: backupTime(backupCreatedAt) })

/** That a restore failed, and why; null for one that did not. */
export const restoreFailureText = ({ failure, backupCreatedAt }: SiteRestore) =>
  failure &&
  m.backups_restore_failed({
    time: backupTime(backupCreatedAt),
    reason: restoreFailureTexts[failure](),
  })
