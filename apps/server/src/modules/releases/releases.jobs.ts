import { second } from '@slipway/contract/limits'
import type { ReleaseId } from '@slipway/contract/releases'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context } from '../../context.ts'
import type { Job, Timer } from '../../jobs.ts'
import { deploy, removeUnused, sweep } from './releases.deploy.ts'
import { deployJob } from './releases.service.ts'

/** Deploys releases that need packages: their installations take minutes. */
const installJob = 'releases.install'

const options = {
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  // A large archive takes minutes to unpack; a killed worker is noticed by its heartbeat.
  expireInSeconds: serviceLimits.releaseDeadline / second,
}

async function handle(ctx: Context, releaseId: string, mayInstall: boolean) {
  const outcome = await deploy(ctx, releaseId as ReleaseId, { mayInstall })
  if (outcome === 'done') return
  const [name, sendOptions] =
    outcome === 'install'
      ? [installJob, { singletonKey: releaseId }]
      : [deployJob, { startAfter: 1 }]
  await ctx.write((tx) => ctx.jobs.send(tx, name, { releaseId }, sendOptions))
}

export const jobs: Job[] = [
  {
    name: deployJob,
    // Most of them wait for pods; `releases.deploy.ts` and the local engine limit what uses a core.
    concurrency: 24,
    options,
    handle: (ctx, { releaseId = '' }) => handle(ctx, releaseId, false),
  },
  {
    name: installJob,
    // The local engine installs for two sites at once.
    concurrency: 12,
    // At most one queued job per release: the sweep sends another deployment of one that waits.
    options: { policy: 'short', ...options },
    handle: (ctx, { releaseId = '' }) => handle(ctx, releaseId, true),
  },
  { name: 'releases.remove-unused', schedule: '17 * * * *', handle: (ctx) => removeUnused(ctx) },
]

export const timers: Timer[] = [{ name: 'releases.sweep', every: 15 * second, run: sweep }]
