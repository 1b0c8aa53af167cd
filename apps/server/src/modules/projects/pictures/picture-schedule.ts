import { hour, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { SendOptions } from 'pg-boss'
import type { Context, Tx } from '../../../context.ts'
import { isLocal } from '../../../env/configured-clusters.ts'
import { isVisible } from '../projects.policy.ts'
import type { Project } from '../projects.store.ts'

export const pictureJob = 'projects.picture'

/** Attempts at a picture that fails, and the delay before the second, in seconds. */
const [maxAttempts, firstRetryDelay] = [4, 30]

/** Several changes in this time make one picture, in seconds. */
const changeDelay = 3

/** Views of a project request a picture once in this time. */
const viewInterval = hour

type Ctx = Pick<Context, 'env' | 'jobs'>

const takesPictures = ({ env }: Ctx, { cluster }: Project) =>
  isLocal(env, cluster) && env.PICTURES_BROWSER !== 'off'

/** At most one queued picture of each project. */
const send = (
  ctx: Ctx,
  tx: Tx,
  projectId: ProjectId,
  data: { wake?: 'yes'; attempt?: string },
  options: SendOptions,
) => ctx.jobs.send(tx, pictureJob, { projectId, ...data }, { singletonKey: projectId, ...options })

/** Enqueues a picture of a site that has changed, which is woken for it. */
export async function scheduleAfterChange(ctx: Ctx, tx: Tx, project: Project) {
  if (takesPictures(ctx, project) && isVisible(project))
    await send(ctx, tx, project.id, { wake: 'yes' }, { startAfter: changeDelay })
}

/** Enqueues a picture of a site that a user views, unless one was enqueued this hour. */
export async function scheduleForView(ctx: Ctx & Pick<Context, 'write'>, project: Project) {
  if (takesPictures(ctx, project) && isVisible(project))
    await ctx.write((tx) =>
      send(ctx, tx, project.id, {}, { singletonSeconds: viewInterval / second }),
    )
}

/** Enqueues the next attempt, if there is one. */
export async function scheduleRetry(
  ctx: Ctx & Pick<Context, 'write'>,
  projectId: ProjectId,
  { wake, attempt = '1' }: { wake?: string; attempt?: string },
) {
  const failed = Number(attempt)
  if (failed >= maxAttempts) return
  const data = { ...(wake ? { wake: 'yes' as const } : {}), attempt: String(failed + 1) }
  const startAfter = firstRetryDelay * 4 ** (failed - 1)
  await ctx.write((tx) => send(ctx, tx, projectId, data, { startAfter }))
}
