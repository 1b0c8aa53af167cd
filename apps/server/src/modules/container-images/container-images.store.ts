import type { ContainerImage } from '@slipway/contract/container-images'
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { containerImages } from './container-images.schema.ts'

export async function insert(
  tx: Tx,
  image: { artifact: string; image: ContainerImage; createdAt: Date },
): Promise<void> {
  await tx.insert(containerImages).values(image).onConflictDoNothing()
}

export async function find(db: Db, artifact: string): Promise<ContainerImage | undefined> {
  const [image] = await db
    .select({ image: containerImages.image })
    .from(containerImages)
    .where(eq(containerImages.artifact, artifact))
  return image?.image
}
