import { day, hour } from '@slipway/contract/limits'
import type { SiteBackupCause, SiteBackupId, SiteBackupState } from '@slipway/contract/site-backups'
import { siteBackupLimits } from '@slipway/contract/site-backups'
import { describe, expect, it } from 'vitest'
import { outdated } from './site-backups.policy.ts'

// A Monday: days and weeks begin at the same time.
const today = Date.parse('2026-11-02T00:00:00Z')

const backup = (
  daysAgo: number,
  cause: SiteBackupCause = 'daily',
  state: SiteBackupState = 'ready',
) => ({
  id: `${cause} ${daysAgo}` as SiteBackupId,
  state,
  cause,
  createdAt: new Date(today - daysAgo * day + hour),
  checkedAt: null as Date | null,
})

const storedAfterRemoval = (backups: ReturnType<typeof backup>[]) => {
  const removed = new Set(outdated(backups))
  return backups.filter((each) => !removed.has(each)).map(({ id }) => id)
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('the backups that stay', () => {
  it('are one for each of the last 14 days and 8 weeks', () => {
    const stored = storedAfterRemoval(range(100).map((daysAgo) => backup(daysAgo)))
    const days = range(siteBackupLimits.days).map((daysAgo) => `daily ${daysAgo}`)
    expect(stored.slice(0, days.length)).toEqual(days)
    expect(stored.length).toBeLessThanOrEqual(siteBackupLimits.days + siteBackupLimits.weeks)
    // The newest of the eighth week: weeks begin on a Thursday, as the epoch did.
    const oldest = Number(stored.at(-1)?.split(' ')[1])
    expect(oldest).toBeGreaterThan(7 * (siteBackupLimits.weeks - 2))
    expect(oldest).toBeLessThan(7 * siteBackupLimits.weeks)
  })

  it('count the days that have a backup, not those without', () => {
    const everyThirdDay = range(14).map((index) => backup(index * 3))
    expect(storedAfterRemoval(everyThirdDay)).toHaveLength(14)
  })

  it('are the ten newest on request and the ten newest before changes', () => {
    const sameDay = (cause: SiteBackupCause) =>
      range(15).map((index) => ({
        ...backup(1, cause),
        id: `${cause} ${index}` as SiteBackupId,
        createdAt: new Date(today - index),
      }))
    const stored = storedAfterRemoval([...sameDay('manual'), ...sameDay('release')])
    expect(stored.filter((id) => id.startsWith('manual'))).toHaveLength(10)
    expect(stored.filter((id) => id.startsWith('release'))).toHaveLength(10)
  })

  it('include one of an unchanged site, however old it is', () => {
    const old = { ...backup(300), checkedAt: new Date(today) }
    expect(storedAfterRemoval([old])).toEqual([old.id])
  })

  it('include an unfinished backup, and the newest one if it failed', () => {
    const creating = backup(0, 'manual', 'creating')
    const failure = backup(1, 'daily', 'failed')
    expect(storedAfterRemoval([creating, failure, backup(2)])).toEqual([creating.id, 'daily 2'])
    expect(storedAfterRemoval([failure, backup(2)])).toEqual([failure.id, 'daily 2'])
  })
})
