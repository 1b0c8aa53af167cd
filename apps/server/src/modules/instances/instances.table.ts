import type { Context, Tx } from '../../context.ts'
import { followChanges } from '../../db/follow-changes.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { InstanceId } from '../../engines/hosting/engine.ts'
import type {
  InstanceTable,
  InstanceTables,
  TableEntry,
} from '../../engines/hosting/kubernetes/instance-table.ts'
import * as store from './instances.store.ts'

/** Instances of one query, so that a full read needs little memory at once. */
const pageSize = 1_000

const toEntry = ({ host, port, wakefulness }: store.StoredInstance): TableEntry => ({
  state: wakefulness,
  address: host === null || port === null ? null : { host, port },
})

type Entries = {
  byKey: Map<string, TableEntry>
  listeners: ((key: string | null) => void)[]
}

/** The instances of the engines on the network, in memory. */
export async function createInstanceTables(
  ctx: Pick<Context, 'clock' | 'db' | 'log' | 'stopping' | 'write'>,
  notifications: Notifications,
): Promise<InstanceTables> {
  const clusters = new Map<string, Entries>()

  function entriesOf(cluster: string): Entries {
    const entries = clusters.get(cluster) ?? { byKey: new Map(), listeners: [] }
    clusters.set(cluster, entries)
    return entries
  }

  const report = ({ listeners }: Entries, key: string | null) => {
    for (const listener of listeners) listener(key)
  }

  async function readAll() {
    const read = new Map<string, Map<string, TableEntry>>()
    let last: InstanceId | undefined
    for (;;) {
      const page = await store.list(ctx.db, last, pageSize)
      for (const row of page) {
        const byKey = read.get(row.cluster) ?? new Map<string, TableEntry>()
        read.set(row.cluster, byKey.set(row.key, toEntry(row)))
      }
      if (page.length < pageSize) break
      last = page.at(-1)
    }
    for (const cluster of read.keys()) entriesOf(cluster)
    for (const [cluster, entries] of clusters) {
      entries.byKey = read.get(cluster) ?? new Map()
      report(entries, null)
    }
  }

  async function readOne(key: string) {
    const rows = await store.listByKey(ctx.db, key)
    for (const { cluster } of rows) entriesOf(cluster)
    for (const [cluster, entries] of clusters) {
      const row = rows.find((each) => each.cluster === cluster)
      const hadEntry = entries.byKey.delete(key)
      if (row) entries.byKey.set(key, toEntry(row))
      if (row || hadEntry) report(entries, key)
    }
  }

  await followChanges(ctx, notifications, {
    name: 'the addresses of the sites',
    channel: store.channel,
    readAll,
    readAfter: (key) => () => readOne(key),
  })

  const leaseEnd = (leaseMs: number) => new Date(ctx.clock.now().getTime() + leaseMs)

  /** Runs a write that resolves with the keys that it has changed. */
  const writeAndNotify = (write: (tx: Tx) => Promise<readonly string[]>) =>
    ctx.write(async (tx) => {
      const changed = await write(tx)
      await store.notify(tx, changed)
      return changed
    })
  const writeInstance = (key: string, write: (tx: Tx) => Promise<boolean>) =>
    writeAndNotify(async (tx) => ((await write(tx)) ? [key] : []))

  const tables = new Map<string, InstanceTable>()

  function createTable(cluster: string): InstanceTable {
    const entries = entriesOf(cluster)

    async function renew(key: string, leaseMs: number) {
      const extended = await store.extend(ctx.db, { key, cluster }, leaseEnd(leaseMs))
      if (extended) return extended.wakefulness
      const woken = await writeAndNotify(async (tx) =>
        (await store.wake(tx, { key, cluster }, leaseEnd(leaseMs))) ? [key] : [],
      )
      return woken.length > 0 ? 'waking' : undefined
    }

    return {
      find: (key) => entries.byKey.get(key),
      onChange: (listener) => void entries.listeners.push(listener),

      async open(key, { wake, leaseMs }) {
        const added = { key, cluster, awakeUntil: leaseEnd(leaseMs) }
        await writeInstance(key, (tx) => store.insert(tx, added))
        if (wake) await renew(key, leaseMs)
        return (await store.find(ctx.db, { key, cluster }))?.wakefulness ?? 'waking'
      },

      async publish(key, address) {
        await writeInstance(key, (tx) => store.setAddress(tx, { key, cluster }, address))
      },

      async remove(key) {
        await writeInstance(key, (tx) => store.remove(tx, { key, cluster }))
      },

      renew,
      limitLeases: (leaseMs) => store.limitLeases(ctx.db, cluster, leaseEnd(leaseMs)),
      sleepIdle: async (limit) => [
        ...(await writeAndNotify((tx) => store.sleepIdle(tx, cluster, ctx.clock.now(), limit))),
      ],
    }
  }

  return {
    of(cluster) {
      const table = tables.get(cluster) ?? createTable(cluster)
      tables.set(cluster, table)
      return table
    },
  }
}
