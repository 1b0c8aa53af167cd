import { createHash } from 'node:crypto'
import type { ContainerImage } from '@slipway/contract/container-images'
import type { Context, Db, Tx } from '../../context.ts'
import * as store from './container-images.store.ts'

/** The digest of an image and its settings: equal ones are stored once. */
const artifactOf = ({ reference, port, healthPath, userId, dataPath }: ContainerImage) =>
  createHash('sha256')
    .update(JSON.stringify([reference, port, healthPath, userId, dataPath]))
    .digest('hex')

/** Stores an image with its settings; resolves with its artifact. */
export async function save(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  image: ContainerImage,
): Promise<string> {
  const artifact = artifactOf(image)
  await store.insert(tx, { artifact, image, createdAt: ctx.clock.now() })
  return artifact
}

/** The image of an artifact; null for an artifact that consists of files. */
export const find = async (
  ctx: { db: Db },
  artifact: string | null,
): Promise<ContainerImage | null> =>
  artifact === null ? null : ((await store.find(ctx.db, artifact)) ?? null)
