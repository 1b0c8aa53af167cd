import { minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import type { Job, Timer } from '../../jobs.ts'
import { reconcile } from './projects.reconciler.ts'
import * as projects from './projects.service.ts'
import { heal, healJob, sweep } from './projects.sweep.ts'

/** Has a project that is under way looked at again in a moment. */
const goOn = (ctx: Context, projectId: ProjectId) =>
  ctx.write((tx) => ctx.jobs.send(tx, projects.reconcileJob, { projectId }, { startAfter: 1 }))

export const jobs: Job[] = [
  {
    name: projects.reconcileJob,
    concurrency: 6,
    // A failed one is tried again soon; past its deadline the project is failed by the sweep.
    options: { retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 },
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      if ((await reconcile(ctx, id)) !== 'settled') await goOn(ctx, id)
    },
  },
  {
    name: healJob,
    concurrency: 6,
    options: {
      // One at a time for each project, however often the sweep comes by.
      policy: 'exclusive',
      // The next sweep sends another for as long as there is something to do.
      retryLimit: 0,
      deleteAfterSeconds: (10 * minute) / second,
    },
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      // A site that is slow to start is asked on: its owner does not wait for the next sweep. Whoever
      // is busy with the project sees to it by themselves.
      if ((await heal(ctx, id)) === 'unsettled') await goOn(ctx, id)
    },
  },
]

export const timers: Timer[] = [{ name: 'projects.sweep', every: 10 * second, run: sweep }]
