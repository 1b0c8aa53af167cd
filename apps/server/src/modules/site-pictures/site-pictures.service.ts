import { randomBytes } from 'node:crypto'
import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context, Db, Tx } from '../../context.ts'
import type { Picture } from '../../engines/hosting/engine.ts'
import * as store from './site-pictures.store.ts'

/** The path under which the server serves pictures. */
export const picturesPath = '/pictures'

/** The paths of a picture, which cannot be guessed. They change with each picture. */
export const pathsOf = (pathToken: string) => ({
  large: `${picturesPath}/${pathToken}.webp`,
  small: `${picturesPath}/${pathToken}-small.webp`,
})

export type PicturePaths = ReturnType<typeof pathsOf>

/** Removes the picture of a project. */
export const remove = (tx: Tx, projectId: ProjectId) => store.remove(tx, projectId)

/** The paths of a project's picture; null before the first. */
export async function findPaths(db: Db, projectId: ProjectId): Promise<PicturePaths | null> {
  const picture = await store.find(db, projectId)
  return picture ? pathsOf(picture.address) : null
}

/** True if the project has a picture of this generation or a later one, less than a day old. */
export async function isFresh(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, generation }: { id: ProjectId; generation: number },
): Promise<boolean> {
  const picture = await store.find(db, id)
  if (!picture || picture.generation < generation) return false
  // `takenAt` is in the future if the clock of the server that took the picture was ahead.
  return Math.abs(clock.now().getTime() - picture.takenAt.getTime()) < day
}

/** Replaces the picture of a project. */
export const save = (
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  projectId: ProjectId,
  picture: Picture & { generation: number },
) =>
  store.save(tx, {
    projectId,
    ...picture,
    address: randomBytes(16).toString('base64url'),
    takenAt: clock.now(),
  })

/** The picture at a path; undefined for an unknown token and a deleted or suspended project. */
export async function load({ db }: Pick<Context, 'db'>, name: string): Promise<Buffer | undefined> {
  const [, pathToken, isSmall] = /^([\w-]{22})(-small)?\.webp$/.exec(name) ?? []
  if (pathToken === undefined) return undefined
  return store.findImage(db, pathToken, isSmall ? 'small' : 'large')
}
