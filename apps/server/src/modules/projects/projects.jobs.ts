import type { DomainId } from '@slipway/contract/domains'
import { minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import type { Job, Timer } from '../../jobs.ts'
import { checkDomainJobName, checkReleased } from '../domains/domains.service.ts'
import { check as checkDomain, sweep as sweepDomains } from './domains/project-domains.checks.ts'
import { moveJob, sweep as sweepMoves } from './moves/project-moves.service.ts'
import { runMove } from './moves/run-move.ts'
import { pictureJob, scheduleRetry } from './pictures/picture-schedule.ts'
import { takePicture } from './pictures/take-picture.ts'
import * as projects from './projects.service.ts'
import { quickProbe, reconcile, singleProbe } from './reconciler/reconciler.ts'
import { reconcileUnsettledJob, sweep } from './reconciler/sweep.ts'

/** Reconciles projects whose sites are slow to respond. */
const slowJob = 'projects.slow'

/** Retries within seconds; after the project's deadline the sweep ends the attempt. */
const retryOptions = { retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 }

/** Moves an unsettled project to the slow queue, so it cannot block others. */
const requeueSlow = (ctx: Context, projectId: ProjectId) =>
  ctx.write((tx) =>
    ctx.jobs.send(tx, slowJob, { projectId }, { startAfter: 1, singletonKey: projectId }),
  )

export const jobs: Job[] = [
  {
    name: projects.reconcileJob,
    // Most of them wait for a site; the local engine limits how many start at once.
    concurrency: 24,
    options: retryOptions,
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      if ((await reconcile(ctx, id, quickProbe)) !== 'settled') await requeueSlow(ctx, id)
    },
  },
  {
    name: slowJob,
    concurrency: 6,
    // At most one queued job per project.
    options: { policy: 'short', ...retryOptions },
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      if ((await reconcile(ctx, id, singleProbe)) !== 'settled') await requeueSlow(ctx, id)
    },
  },
  {
    name: reconcileUnsettledJob,
    concurrency: 6,
    options: {
      // At most one queued or running job per project.
      policy: 'exclusive',
      // No retry: the next sweep enqueues another job while the project is unsettled.
      retryLimit: 0,
      deleteAfterSeconds: (10 * minute) / second,
    },
    async handle(ctx, { projectId = '' }) {
      const id = projectId as ProjectId
      // `busy` is skipped: the job that has the lock requeues the project itself.
      if ((await reconcile(ctx, id)) === 'unsettled') await requeueSlow(ctx, id)
    },
  },
  {
    name: moveJob,
    // A copy takes minutes, and most of the network.
    concurrency: 2,
    options: {
      policy: 'exclusive',
      // No retry: the timer enqueues another job while the move is open.
      retryLimit: 0,
      expireInSeconds: (60 * minute) / second,
      deleteAfterSeconds: (10 * minute) / second,
    },
    async handle(ctx, { projectId = '' }) {
      await runMove(ctx, projectId as ProjectId)
    },
  },
  {
    name: checkDomainJobName,
    // The jobs only wait for name servers.
    concurrency: 8,
    // The checks of one team run one at a time, so hanging ones cannot use every slot.
    exclusiveGroups: true,
    options: {
      policy: 'exclusive',
      // No retry: the next sweep enqueues another job while the check is due.
      retryLimit: 0,
      deleteAfterSeconds: (10 * minute) / second,
    },
    handle: (ctx, { domainId = '' }) => checkDomain(ctx, domainId as DomainId),
  },
  {
    name: pictureJob,
    // A browser needs as much memory as several sites.
    concurrency: 1,
    // At most one queued job per project. A failed picture enqueues the next attempt itself.
    options: { policy: 'short', retryLimit: 3, retryDelay: 30, expireInSeconds: 120 },
    async handle(ctx, { projectId = '', ...data }) {
      const id = projectId as ProjectId
      if (!(await takePicture(ctx, id, data.wake === 'yes'))) await scheduleRetry(ctx, id, data)
    },
  },
]

export const timers: Timer[] = [
  { name: 'projects.sweep', every: 10 * second, run: sweep },
  { name: 'projects.moves', every: 5 * second, run: sweepMoves },
  { name: 'domains.sweep', every: 5 * second, run: sweepDomains },
  { name: 'domains.released', every: minute, run: checkReleased },
]
