import { minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import type { Job, Timer } from '../../jobs.ts'
import * as projects from './projects.service.ts'
import { reconcile } from './reconciler/reconciler.ts'
import { healJob, sweep } from './reconciler/sweep.ts'

/** Asks on after a site that does not answer yet. */
const slowJob = 'projects.slow'

/** A failed run is tried again soon; past its deadline the project is failed by the sweep. */
const retryOptions = { retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 }

/**
 * Has a project that is under way looked at again in a moment, with those that are as slow: a site that
 * never answers keeps nobody else's from starting.
 */
const requeueSlow = (ctx: Context, projectId: ProjectId) =>
  ctx.write((tx) =>
    ctx.jobs.send(tx, slowJob, { projectId }, { startAfter: 1, singletonKey: projectId }),
  )

export const jobs: Job[] = [
  {
    name: projects.reconcileJob,
    concurrency: 6,
    options: retryOptions,
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      if ((await reconcile(ctx, id)) !== 'settled') await requeueSlow(ctx, id)
    },
  },
  {
    name: slowJob,
    concurrency: 6,
    // One waits at a time for each project, however many found it slow.
    options: { policy: 'short', ...retryOptions },
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      if ((await reconcile(ctx, id, 0)) !== 'settled') await requeueSlow(ctx, id)
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
      if ((await reconcile(ctx, id)) === 'unsettled') await requeueSlow(ctx, id)
    },
  },
]

export const timers: Timer[] = [{ name: 'projects.sweep', every: 10 * second, run: sweep }]
