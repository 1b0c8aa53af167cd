import { randomBytes, randomUUID } from 'node:crypto'
import { hour as hourMs, minute, second } from '@slipway/contract/limits'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import type { FinishedRequest } from '../../gateway/finished-request.ts'
import type { Log } from '../../log.ts'
import * as store from './traffic.store.ts'
import { bucketOf, timeBuckets } from './traffic.times.ts'
import { createVisitors, elementOf, type Visitors } from './traffic.visitors.ts'

const flushInterval = 5 * second
/**
 * The most hours of projects in memory: beyond them, while the database is stopped, requests of
 * further projects are not counted.
 */
const maxHours = 10_000
/** How many visitors of a project are cached until the next flush, to hash each once. */
const maxCachedVisitors = 1_000
/** How long before the day begins its salt is read. */
const saltLead = 10 * minute

type Hour = {
  key: string
  /** The start of the hour, in milliseconds. */
  hour: number
  /** Responses by the class of their status, 1xx to 5xx. */
  statuses: number[]
  bytes: number
  times: number[]
  visitors: Visitors
  /** The visitors that were added, by browser: to look an address up costs less than to hash it. */
  cachedVisitors: Map<string, Set<string>>
  cachedCount: number
}

type RecorderContext = Pick<Context, 'db' | 'write' | 'clock'> & { log: Log }

export type TrafficRecorder = {
  /** Counts a request to a site that is not offline. Returns at once and never throws. */
  record(request: FinishedRequest): void
  /** Writes the counts. Rejects when the database does not respond; nothing is lost then. */
  flush(): Promise<void>
  close(): Promise<void>
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/**
 * Counts the requests of a gateway in memory and adds them to the database every few seconds. Each
 * batch has a number, so that one repeated after a lost response is counted once. A killed gateway
 * loses its counts since the last flush.
 */
export async function createTrafficRecorder(ctx: RecorderContext): Promise<TrafficRecorder> {
  const writer = randomUUID()
  const salts = new Map<string, string>()
  const bots = new LRUCache<string, boolean>({ max: 2_000 })
  /** The counts of the current hour, by key. */
  let hours = new Map<string, Hour>()
  /** The counts of earlier hours, which are not stored yet. */
  let past: Hour[] = []
  let hourStart = 0
  let batch: { number: number; hours: Hour[] } | undefined
  let batches = 0
  let dropped = 0
  let flushing = Promise.resolve()

  /** The salt of a day. Until it is read, a random one, with which visitors may count twice. */
  function saltOf(day: string) {
    let salt = salts.get(day)
    if (salt === undefined) {
      salt = randomBytes(16).toString('hex')
      salts.set(day, salt)
      readSalt(day).catch(() => undefined)
    }
    return salt
  }

  async function readSalt(day: string) {
    salts.set(day, (await store.findOrCreateSalt(ctx.db, day, randomBytes(16))).toString('hex'))
  }

  async function refreshSalts() {
    const now = ctx.clock.now().getTime()
    const days = new Set([dayOf(now), dayOf(now + saltLead)])
    for (const day of salts.keys()) if (!days.has(day)) salts.delete(day)
    for (const day of days) if (!readDays.has(day)) await readSalt(day)
    readDays = days
  }
  let readDays = new Set<string>()

  const isBot = (agent: string) => {
    let isBotAgent = bots.get(agent)
    if (isBotAgent === undefined) {
      isBotAgent = isbot(agent)
      bots.set(agent, isBotAgent)
    }
    return isBotAgent
  }

  function hourOf(key: string, time: number): Hour | undefined {
    if (time < hourStart || time >= hourStart + hourMs) {
      hourStart = Math.floor(time / hourMs) * hourMs
      past.push(...hours.values())
      hours = new Map()
    }
    const existing = hours.get(key)
    if (existing) return existing
    if (hours.size + past.length >= maxHours) return undefined
    const created: Hour = {
      key,
      hour: hourStart,
      statuses: [0, 0, 0, 0, 0],
      bytes: 0,
      times: Array(timeBuckets).fill(0),
      visitors: createVisitors(),
      cachedVisitors: new Map(),
      cachedCount: 0,
    }
    hours.set(key, created)
    return created
  }

  function record(request: FinishedRequest) {
    // The service's own pages: its status 503 is no error of the site.
    if (request.isOffline) return
    const { key, time, status, bytes, duration, address, agent = '' } = request
    const hour = hourOf(key, time)
    if (!hour) {
      dropped++
      return
    }
    const statusClass = Math.min(5, Math.max(1, Math.floor(status / 100))) - 1
    hour.statuses[statusClass] = (hour.statuses[statusClass] ?? 0) + 1
    hour.bytes += bytes
    // An upgraded connection lasts until the visitor leaves.
    if (status !== 101) {
      const bucket = bucketOf(duration)
      hour.times[bucket] = (hour.times[bucket] ?? 0) + 1
    }
    if (!hour.cachedVisitors.get(agent)?.has(address)) addVisitor(hour, agent, address)
  }

  function addVisitor(hour: Hour, agent: string, address: string) {
    if (agent !== '' && !isBot(agent)) {
      const salt = saltOf(dayOf(hour.hour))
      hour.visitors.add(elementOf(salt, hour.key, address, agent))
    }
    if (hour.cachedCount >= maxCachedVisitors) return
    hour.cachedCount++
    const addresses = hour.cachedVisitors.get(agent)
    if (addresses) addresses.add(address)
    else hour.cachedVisitors.set(agent, new Set([address]))
  }

  async function flushAll() {
    await refreshSalts()
    for (;;) {
      if (!batch) {
        if (hours.size === 0 && past.length === 0) return
        batch = { number: ++batches, hours: [...past, ...hours.values()] }
        hours = new Map()
        past = []
      }
      const { number, hours: counted } = batch
      const rows = counted.map(({ key, hour, statuses, bytes, times, visitors }) => ({
        key,
        hour,
        statuses,
        bytes,
        times,
        visitors: visitors.elements(),
      }))
      await ctx.write((tx) => store.addBatch(tx, { writer, number, now: ctx.clock.now() }, rows))
      batch = undefined
      if (dropped > 0) ctx.log.warn({ requests: dropped }, 'requests to sites were not counted')
      dropped = 0
    }
  }

  const flush = () => {
    const flushed = flushing.then(flushAll)
    flushing = flushed.catch(() => undefined)
    return flushed
  }

  let isDown = false
  const timer = setInterval(() => {
    flush().then(
      () => {
        isDown = false
      },
      (err) => {
        if (!isDown) ctx.log.warn({ err }, 'the traffic of sites waits for the database')
        isDown = true
      },
    )
  }, flushInterval)
  timer.unref()

  await refreshSalts()
  return {
    record,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
