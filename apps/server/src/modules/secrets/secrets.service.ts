import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { isOlderServerConnected } from './secrets.keys.ts'
import { values } from './secrets.sealed.ts'
import * as store from './secrets.store.ts'

type Ctx = Pick<Context, 'clock' | 'sealing' | 'write'>

/** A key never changes, so each process reads it once per database. */
const cache = new WeakMap<Ctx['sealing'], Map<string, Promise<Buffer>>>()

/** A key of 256 random bits, created on first use and shared by all server processes. */
export async function sharedKey(ctx: Ctx, name: string): Promise<Buffer> {
  const keys = cache.get(ctx.sealing) ?? new Map<string, Promise<Buffer>>()
  cache.set(ctx.sealing, keys)
  const key = keys.get(name) ?? findOrCreate(ctx, name)
  keys.set(name, key)
  try {
    return await key
  } catch (error) {
    if (keys.get(name) === key) keys.delete(name)
    throw error
  }
}

const findOrCreate = (ctx: Ctx, name: string): Promise<Buffer> =>
  ctx.write(async (tx) => {
    const sealedValue = () => values.seal(ctx.sealing, name, randomBytes(32))
    let row = await store.find(tx, name)
    if (!row) {
      await store.insertIfMissing(tx, name, sealedValue(), ctx.clock.now())
      row = await store.find(tx, name)
    }
    if (!row) throw new Error(`the secret ${name} was removed while it was created`)
    return values.open(ctx.sealing, name, row.sealedValue, row.value)
  })

/**
 * Seals the values that an older version stored in plain text. Does nothing while an older server
 * runs, because it cannot read sealed values. Safe to repeat.
 */
export async function sealPlainValues(
  ctx: Pick<Context, 'db' | 'log' | 'sealing' | 'sealedColumns'>,
): Promise<void> {
  if (await isOlderServerConnected(ctx.db)) return
  for (const column of ctx.sealedColumns) {
    const count = await column.sealPlain(ctx.db, ctx.sealing)
    if (count > 0) ctx.log.info({ count, column: column.name }, 'sealed stored secrets')
  }
}
