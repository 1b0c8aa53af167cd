import { limits, second } from '@slipway/contract/limits'
import type { ReleaseId } from '@slipway/contract/releases'
import type { Job, Timer } from '../../jobs.ts'
import { deploy, removeUnused, sweep } from './releases.deploy.ts'
import { deployJob } from './releases.service.ts'

export const jobs: Job[] = [
  {
    name: deployJob,
    // Most of them wait for pods; `releases.deploy.ts` and the local engine limit what uses a core.
    concurrency: 24,
    options: {
      retryLimit: 10,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 30,
      // A large archive takes minutes to unpack; a killed worker is noticed by its heartbeat.
      expireInSeconds: limits.releaseDeadline / second,
    },
    async handle(ctx, { releaseId = '' }) {
      if (await deploy(ctx, releaseId as ReleaseId)) return
      await ctx.write((tx) => ctx.jobs.send(tx, deployJob, { releaseId }, { startAfter: 1 }))
    },
  },
  { name: 'releases.remove-unused', schedule: '17 * * * *', handle: (ctx) => removeUnused(ctx) },
]

export const timers: Timer[] = [{ name: 'releases.sweep', every: 15 * second, run: sweep }]
