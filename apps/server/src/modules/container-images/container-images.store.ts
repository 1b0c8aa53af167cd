import type { ContainerImage } from '@slipway/contract/container-images'
import { eq } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { containerImages } from './container-images.schema.ts'

export async function find(db: Db, artifact: string): Promise<ContainerImage | undefined> {
  const [found] = await db
    .select({ image: containerImages.image })
    .from(containerImages)
    .where(eq(containerImages.artifact, artifact))
  return found?.image
}
