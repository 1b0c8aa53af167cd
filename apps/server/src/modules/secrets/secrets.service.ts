import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import * as store from './secrets.store.ts'

/** A key of 256 random bits, made when first asked for and the same in every server process. */
export async function sharedKey(ctx: Pick<Context, 'db' | 'clock'>, name: string): Promise<Buffer> {
  const known = await store.find(ctx.db, name)
  if (known) return known
  await store.insertIfMissing(ctx.db, name, randomBytes(32), ctx.clock.now())
  const made = await store.find(ctx.db, name)
  if (!made) throw new Error(`the secret ${name} was removed while it was made`)
  return made
}
