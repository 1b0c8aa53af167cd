import { minute, second } from '@slipway/contract/limits'
import type { SiteBackupId } from '@slipway/contract/site-backups'
import { siteBackupLimits } from '@slipway/contract/site-backups'
import type { Context } from '../../context.ts'
import type { Job, Timer } from '../../jobs.ts'
import { failLate, removeOfDeleted, run } from './run-backup.ts'
import { createJob, dailyJob, requestDaily } from './site-backups.service.ts'

/** Seconds after which a backup of a busy site is tried again. */
const waitSeconds = 5

const options = {
  retryLimit: 3,
  retryDelay: 5,
  expireInSeconds: (siteBackupLimits.deadline + minute) / second,
}

const handle = (name: string) => async (ctx: Context, data: Record<string, string>) => {
  const { backupId = '' } = data
  if ((await run(ctx, backupId as SiteBackupId)) === 'done') return
  await ctx.write((tx) => ctx.jobs.send(tx, name, { backupId }, { startAfter: waitSeconds }))
}

export const jobs: Job[] = [
  // Each reads and compresses a whole site.
  { name: createJob, concurrency: 2, options, handle: handle(createJob) },
  { name: dailyJob, concurrency: 2, options, handle: handle(dailyJob) },
  { name: 'site-backups.remove', schedule: '37 * * * *', handle: (ctx) => removeOfDeleted(ctx) },
]

export const timers: Timer[] = [
  { name: 'site-backups.due', every: minute, run: requestDaily },
  { name: 'site-backups.late', every: minute, run: failLate },
]
