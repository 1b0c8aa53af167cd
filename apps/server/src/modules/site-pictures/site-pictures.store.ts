import type { ProjectId } from '@slipway/contract/projects'
import { and, eq, isNull, notInArray } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { projects } from '../projects/projects.schema.ts'
import { sitePictures } from './site-pictures.schema.ts'

type Picture = typeof sitePictures.$inferSelect

/** The picture of a project, without its bytes. */
export async function find(
  db: Db,
  projectId: ProjectId,
): Promise<Pick<Picture, 'address' | 'generation' | 'takenAt'> | undefined> {
  const { address, generation, takenAt } = sitePictures
  const [picture] = await db
    .select({ address, generation, takenAt })
    .from(sitePictures)
    .where(eq(sitePictures.projectId, projectId))
  return picture
}

/** The bytes at an address, unless the project is deleted or suspended. */
export async function findImage(
  db: Db,
  address: string,
  size: 'large' | 'small',
): Promise<Buffer | undefined> {
  const [picture] = await db
    .select({ image: sitePictures[size] })
    .from(sitePictures)
    .innerJoin(projects, eq(projects.id, sitePictures.projectId))
    .where(
      and(
        eq(sitePictures.address, address),
        isNull(projects.suspension),
        notInArray(projects.state, ['deleting', 'deleted']),
      ),
    )
  return picture?.image
}

export async function save(tx: Tx, { projectId, ...picture }: Picture) {
  await tx
    .insert(sitePictures)
    .values({ projectId, ...picture })
    .onConflictDoUpdate({ target: sitePictures.projectId, set: picture })
}

export async function remove(tx: Tx, projectId: ProjectId) {
  await tx.delete(sitePictures).where(eq(sitePictures.projectId, projectId))
}
