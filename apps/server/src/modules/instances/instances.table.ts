import type { Context, Tx } from '../../context.ts'
import { followChanges } from '../../db/follow-changes.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { InstanceTable, TableEntry } from '../../engines/hosting/kubernetes/instance-table.ts'
import * as store from './instances.store.ts'

/** Instances of one query, so that a full read needs little memory at once. */
const pageSize = 1_000

const toEntry = ({ host, port, wakefulness }: store.StoredInstance): TableEntry => ({
  state: wakefulness,
  address: host === null || port === null ? null : { host, port },
})

/** The instances of an engine on the network, in memory. */
export async function createInstanceTable(
  ctx: Pick<Context, 'clock' | 'db' | 'log' | 'stopping' | 'write'>,
  notifications: Notifications,
): Promise<InstanceTable> {
  let entries = new Map<string, TableEntry>()
  const listeners: ((key: string | null) => void)[] = []

  const report = (key: string | null) => {
    for (const listener of listeners) listener(key)
  }

  async function readAll() {
    const read = new Map<string, TableEntry>()
    let last: string | undefined
    for (;;) {
      const page = await store.list(ctx.db, last, pageSize)
      for (const row of page) read.set(row.key, toEntry(row))
      if (page.length < pageSize) break
      last = page.at(-1)?.key
    }
    entries = read
    report(null)
  }

  async function readOne(key: string) {
    const row = await store.find(ctx.db, key)
    if (row) entries.set(key, toEntry(row))
    else entries.delete(key)
    report(key)
  }

  await followChanges(ctx, notifications, {
    name: 'the addresses of the sites',
    channel: store.channel,
    readAll,
    readAfter: (key) => () => readOne(key),
  })

  const leaseEnd = (leaseMs: number) => new Date(ctx.clock.now().getTime() + leaseMs)

  /** Runs a write that resolves with the keys that it has changed. */
  const writeAndAnnounce = (write: (tx: Tx) => Promise<readonly string[]>) =>
    ctx.write(async (tx) => {
      const changed = await write(tx)
      await store.announce(tx, changed)
      return changed
    })
  const announceIf = (key: string, write: (tx: Tx) => Promise<boolean>) =>
    writeAndAnnounce(async (tx) => ((await write(tx)) ? [key] : []))

  async function renew(key: string, leaseMs: number) {
    const extended = await store.extend(ctx.db, key, leaseEnd(leaseMs))
    if (extended) return extended.wakefulness
    const woken = await writeAndAnnounce(async (tx) =>
      (await store.wake(tx, key, leaseEnd(leaseMs))) ? [key] : [],
    )
    return woken.length > 0 ? 'waking' : undefined
  }

  return {
    find: (key) => entries.get(key),
    onChange: (listener) => void listeners.push(listener),

    async open(key, { cluster, wake, leaseMs }) {
      const added = { key, cluster, awakeUntil: leaseEnd(leaseMs) }
      await announceIf(key, (tx) => store.insert(tx, added))
      if (wake) await renew(key, leaseMs)
      return (await store.find(ctx.db, key))?.wakefulness ?? 'waking'
    },

    async publish(key, address) {
      await announceIf(key, (tx) => store.setAddress(tx, key, address))
    },

    async remove(key) {
      await announceIf(key, (tx) => store.remove(tx, key))
    },

    renew,
    takeIdle: async (cluster, limit) => [
      ...(await writeAndAnnounce((tx) => store.sleepIdle(tx, cluster, ctx.clock.now(), limit))),
    ],
  }
}
