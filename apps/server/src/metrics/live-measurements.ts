import { statfs } from 'node:fs/promises'
import type { Database } from '../db/connect.ts'
import type { Fleet } from '../engines/hosting/fleet/fleet.ts'
import type { SocketHub } from '../http/socket.ts'
import type { Measurement } from './measurement.ts'

/** The connections of the pool of requests. */
export const poolMeasurement = ({ pool }: Database): Measurement => ({
  name: 'pool',
  gauges: [
    {
      name: 'slipway_database_connections',
      help: 'Connections of the pool, by state.',
      labels: ['state'],
    },
    {
      name: 'slipway_database_connections_max',
      help: 'The size of the pool.',
    },
    {
      name: 'slipway_database_waiting_queries',
      help: 'Queries and transactions that wait for a connection of the pool.',
    },
  ],
  async read() {
    const name = 'slipway_database_connections'
    return [
      { name, labels: { state: 'idle' }, value: pool.idleCount },
      { name, labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { name: 'slipway_database_connections_max', value: pool.options.max },
      { name: 'slipway_database_waiting_queries', value: pool.waitingCount + pool.waitingInShares },
    ]
  },
})

export const socketMeasurement = (hub: SocketHub): Measurement => ({
  name: 'sockets',
  gauges: [{ name: 'slipway_sockets', help: 'Open sockets of this process.' }],
  read: async () => [{ name: 'slipway_sockets', value: hub.size }],
})

/** The disk of `DATA_DIR`, which sites, releases, logs and the embedded database share. */
export const diskMeasurement = (dataDir: string): Measurement => ({
  name: 'disk',
  gauges: [
    { name: 'slipway_disk_free_bytes', help: 'What is free on the disk of DATA_DIR.' },
    { name: 'slipway_disk_size_bytes', help: 'The size of the disk of DATA_DIR.' },
  ],
  async read() {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return [
      { name: 'slipway_disk_free_bytes', value: bavail * bsize },
      { name: 'slipway_disk_size_bytes', value: blocks * bsize },
    ]
  },
})

export const siteMeasurement = (engine: Pick<Fleet, 'count'>): Measurement => ({
  name: 'sites',
  gauges: [
    {
      name: 'slipway_sites',
      help: 'Sites with a process of this worker: running, or stopped until their next start.',
      labels: ['state'],
    },
  ],
  async read() {
    return Object.entries(engine.count()).map(([state, value]) => ({
      name: 'slipway_sites',
      labels: { state },
      value,
    }))
  },
})
