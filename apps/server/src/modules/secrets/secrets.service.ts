import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import * as store from './secrets.store.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** A key never changes, so each process reads it once per database. */
const cache = new WeakMap<Ctx['db'], Map<string, Promise<Buffer>>>()

/** A key of 256 random bits, created on first use and shared by all server processes. */
export async function sharedKey(ctx: Ctx, name: string): Promise<Buffer> {
  const keys = cache.get(ctx.db) ?? new Map<string, Promise<Buffer>>()
  cache.set(ctx.db, keys)
  const key = keys.get(name) ?? findOrCreate(ctx, name)
  keys.set(name, key)
  try {
    return await key
  } catch (error) {
    if (keys.get(name) === key) keys.delete(name)
    throw error
  }
}

async function findOrCreate(ctx: Ctx, name: string): Promise<Buffer> {
  const stored = await store.find(ctx.db, name)
  if (stored) return stored
  await store.insertIfMissing(ctx.db, name, randomBytes(32), ctx.clock.now())
  const created = await store.find(ctx.db, name)
  if (!created) throw new Error(`the secret ${name} was removed while it was created`)
  return created
}
