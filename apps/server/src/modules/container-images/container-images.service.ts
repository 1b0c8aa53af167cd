import type { ContainerImage } from '@slipway/contract/container-images'
import type { Context } from '../../context.ts'
import * as store from './container-images.store.ts'

/** The image of an artifact; null for one of files. */
export const find = async (
  ctx: Pick<Context, 'db'>,
  artifact: string | null,
): Promise<ContainerImage | null> =>
  artifact === null ? null : ((await store.find(ctx.db, artifact)) ?? null)
