import { minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Job, Timer } from '../../jobs.ts'
import { reconcileJob } from '../projects/projects.service.ts'
import { runRestore } from './run-restore.ts'
import { restoreJob, sweep } from './site-restores.service.ts'

export const jobs: Job[] = [
  {
    name: restoreJob,
    // Each unpacks a whole site.
    concurrency: 2,
    options: {
      // At most one queued job per project.
      policy: 'short',
      // No retry: the timer enqueues another job while the restore is open.
      retryLimit: 0,
      expireInSeconds: (60 * minute) / second,
      deleteAfterSeconds: (10 * minute) / second,
    },
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      const ran = await runRestore(ctx, id)
      await ctx.write((tx) =>
        ran
          ? // The job that the restore sent may have found the project locked.
            ctx.jobs.send(tx, reconcileJob, { projectId })
          : ctx.jobs.send(tx, restoreJob, { projectId }, { startAfter: 1, singletonKey: id }),
      )
    },
  },
]

export const timers: Timer[] = [{ name: 'site-restores.sweep', every: 5 * second, run: sweep }]
