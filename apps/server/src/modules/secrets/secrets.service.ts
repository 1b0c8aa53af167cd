import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import * as store from './secrets.store.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** A key never changes, so each database is asked for it once. */
const known = new WeakMap<Ctx['db'], Map<string, Promise<Buffer>>>()

/** A key of 256 random bits, made when first asked for and the same in every server process. */
export async function sharedKey(ctx: Ctx, name: string): Promise<Buffer> {
  const keys = known.get(ctx.db) ?? new Map<string, Promise<Buffer>>()
  known.set(ctx.db, keys)
  const key = keys.get(name) ?? readOrMake(ctx, name)
  keys.set(name, key)
  try {
    return await key
  } catch (error) {
    if (keys.get(name) === key) keys.delete(name)
    throw error
  }
}

async function readOrMake(ctx: Ctx, name: string): Promise<Buffer> {
  const stored = await store.find(ctx.db, name)
  if (stored) return stored
  await store.insertIfMissing(ctx.db, name, randomBytes(32), ctx.clock.now())
  const made = await store.find(ctx.db, name)
  if (!made) throw new Error(`the secret ${name} was removed while it was made`)
  return made
}
