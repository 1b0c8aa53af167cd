import { day } from '@slipway/contract/limits'
import { siteBackupLimits } from '@slipway/contract/site-backups'
import type { SiteBackup } from './site-backups.store.ts'

type Listed = Pick<SiteBackup, 'id' | 'state' | 'cause' | 'createdAt' | 'checkedAt'>

/** The last time that the backup was the state of the site. */
const timeOf = ({ checkedAt, createdAt }: Listed) => (checkedAt ?? createdAt).getTime()

/** The first backup of each period, for as many periods as `count`. `backups`: newest first. */
function firstOfEach(backups: readonly Listed[], period: number, count: number): Listed[] {
  const byPeriod = Map.groupBy(backups, (backup) => Math.floor(timeOf(backup) / period))
  return [...byPeriod.values()].slice(0, count).flatMap(([first]) => (first ? [first] : []))
}

/**
 * The backups of a project that are no longer needed. These stay: the newest of each of the last 14
 * days and 8 weeks (UTC) with a backup, ten that users requested, ten from before releases and
 * restores, the newest failure, and the one in progress. `backups`: newest first.
 */
export function outdated<Backup extends Listed>(backups: readonly Backup[]): Backup[] {
  const ready = backups.filter(({ state }) => state === 'ready')
  const byTime = [...ready].sort((one, other) => timeOf(other) - timeOf(one))
  const manual = ready.filter(({ cause }) => cause === 'manual')
  const beforeChanges = ready.filter(({ cause }) => cause === 'release' || cause === 'restore')
  const needed = new Set<Listed>([
    ...firstOfEach(byTime, day, siteBackupLimits.days),
    ...firstOfEach(byTime, 7 * day, siteBackupLimits.weeks),
    ...manual.slice(0, siteBackupLimits.onRequest),
    ...beforeChanges.slice(0, siteBackupLimits.beforeChanges),
    ...backups.filter(({ state }) => state === 'creating'),
    // A failure is of interest until a later backup exists.
    ...backups.slice(0, 1),
  ])
  return backups.filter((backup) => !needed.has(backup))
}
