import type { SiteBackupObstacle } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'

const texts: Record<SiteBackupObstacle, () => string> = {
  no_content: () => m.error_backup_no_content(),
  not_ready: () => m.error_backup_not_ready(),
  backup_in_progress: () => m.error_backup_in_progress(),
  restore_in_progress: () => m.error_backup_restore_in_progress(),
  moving: () => m.error_backup_moving(),
}

const isKnown = (obstacle: string): obstacle is SiteBackupObstacle => Object.hasOwn(texts, obstacle)

/** Why a backup or a restore is not possible; a sentence for an unknown obstacle, too. */
export const backupObstacleText = (obstacle = '') =>
  isKnown(obstacle) ? texts[obstacle]() : m.error_backup_not_possible()
