import type { UserId } from '@slipway/contract/account'
import type { ContainerImage } from '@slipway/contract/container-images'
import type { ProjectId } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import type { TeamId } from '@slipway/contract/teams'
import { zipOf } from '../../testing/archives.ts'
import type { World } from '../../testing/world.ts'
import * as containerImages from '../container-images/container-images.service.ts'
import * as store from './releases.store.ts'

export const archive = () =>
  new Blob([new Uint8Array(zipOf({ 'index.html': 'An example' }))], { type: 'application/zip' })

/** A project of static files with an earlier release of this user, which is not on the disk. */
export async function releaseOf(
  { ctx, clock, project }: World,
  { teamId, userId, runtime = 'static' }: { teamId: TeamId; userId: UserId; runtime?: Runtime },
) {
  const { id } = await project({ teamId, runtime: 'static' })
  const { number } = await ctx.write((tx) =>
    store.insert(tx, {
      projectId: id,
      runtime,
      artifact: '0'.repeat(64),
      state: 'superseded',
      source: 'upload',
      userId,
      archiveBytes: 1,
      deadlineAt: clock.now(),
      createdAt: clock.now(),
    }),
  )
  return { id, number }
}

export const exampleImage: ContainerImage = {
  reference: `ghcr.io/acme/shop@sha256:${'1'.repeat(64)}`,
  port: 8080,
  healthPath: '/health',
  userId: 1000,
  dataPath: '/var/lib/shop',
}

/** An earlier release of a container image; the project need not run images. Returns its number. */
export const imageReleaseOf = (
  { ctx, clock }: World,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
): Promise<number> =>
  ctx.write(async (tx) => {
    const { number } = await store.insert(tx, {
      projectId,
      runtime: 'image',
      artifact: await containerImages.save(ctx, tx, exampleImage),
      state: 'superseded',
      source: 'upload',
      userId,
      archiveBytes: 0,
      deadlineAt: clock.now(),
      createdAt: clock.now(),
    })
    return number
  })
