import { randomUUID } from 'node:crypto'
import { day, hour, minute } from '@slipway/contract/limits'
import { listProjects, type Project } from '@slipway/contract/projects'
import * as trafficStore from '../modules/traffic/traffic.store.ts'
import { bucketOf, timeBuckets } from '../modules/traffic/traffic.times.ts'
import { createVisitors, elementOf } from '../modules/traffic/traffic.visitors.ts'
import type { DemoContext, DemoStep } from './demo.context.ts'
import { ada, grace } from './demo.people.ts'

const agents = [
  'Mozilla/5 (Windows NT 10; Win64; x64) AppleWebKit/537 Chrome/141 Safari/537',
  'Mozilla/5 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 Version/18 Mobile Safari/604',
  'Mozilla/5 (X11; Linux x86_64; rv:140) Gecko/20100101 Firefox/140',
]
const paths = [
  '/',
  '/',
  '/',
  '/opening-hours',
  '/contact',
  '/pictures',
  '/favicon.ico',
  '/old-page',
]
const referrers = [null, null, 'www.google.com', 'duckduckgo.com', null]

/** Repeats the same numbers for the same seed, so that every demo is alike. */
const numbersOf = (seed: number) => {
  let state = seed
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Requests in an hour of a site: few at night, most in the evening, more at weekends. */
function requestsIn(time: number, popularity: number) {
  const date = new Date(time)
  const evening = 1 + Math.sin(((date.getUTCHours() - 11) / 24) * 2 * Math.PI)
  const weekend = [0, 6].includes(date.getUTCDay()) ? 1.5 : 1
  return popularity * (0.2 + evening) * weekend
}

function countedHour(key: string, start: number, popularity: number, random: () => number) {
  const visitors = createVisitors()
  const times: number[] = Array(timeBuckets).fill(0)
  const statuses = [0, 0, 0, 0, 0]
  const requests = Math.round(requestsIn(start, popularity) * (0.7 + 0.6 * random()))
  for (let count = 0; count < requests; count++) {
    const chance = random()
    const statusClass = chance < 0.9 ? 1 : chance < 0.96 ? 2 : chance < 0.997 ? 3 : 4
    statuses[statusClass] = (statuses[statusClass] ?? 0) + 1
    const bucket = bucketOf(4 + 40 * random() ** 3 + (random() < 0.04 ? 300 * random() : 0))
    times[bucket] = (times[bucket] ?? 0) + 1
    const address = `visitor ${Math.floor(random() ** 2 * popularity * 12)}`
    visitors.add(elementOf(new Date(start).toISOString().slice(0, 10), key, address, 'demo'))
  }
  const bytes = Math.round(requests * (6_000 + 20_000 * random()))
  return { key, hour: start, statuses, bytes, times, visitors: visitors.elements() }
}

async function record(demo: DemoContext, { key, createdAt }: Project, seed: number, now: Date) {
  const random = numbersOf(seed)
  const popularity = 20 + 60 * random()
  const last = Math.floor(now.getTime() / hour) * hour
  const first = Math.max(last - 7 * day, Math.ceil(Date.parse(createdAt) / hour) * hour)
  const hours: trafficStore.CountedHour[] = []
  for (let start = first; start <= last; start += hour)
    hours.push(countedHour(key, start, popularity, random))
  await demo.ctx.write((tx) =>
    trafficStore.addBatch(tx, { writer: randomUUID(), number: 1, now }, hours),
  )

  const { logs, env } = demo.ctx
  for (let time = now.getTime() - 2 * hour; time < now.getTime(); time += minute * random() * 2) {
    const path = paths[Math.floor(random() * paths.length)] ?? '/'
    logs.add(key, 'requests', {
      time: Math.round(time),
      request: {
        method: 'GET',
        host: `${key}.${env.SITES_DOMAIN}`,
        path,
        status: path === '/old-page' ? 404 : random() < 0.2 ? 304 : 200,
        bytes: Math.round(800 + random() * 20_000),
        duration: Math.round(4 + 40 * random() ** 3),
        referrer: referrers[Math.floor(random() * referrers.length)] ?? null,
        agent: agents[Math.floor(random() * agents.length)] ?? null,
      },
    })
  }
}

/** A week of visitors, and their requests of the last two hours. */
export const trafficSteps = (now: Date): DemoStep[] => [
  {
    time: now,
    async run(demo) {
      const all = [ada, grace].map(async (person) => (await demo.as(person))(listProjects))
      const projects = new Map((await Promise.all(all)).flat().map((each) => [each.key, each]))
      for (const [index, project] of [...projects.values()].entries())
        if (project.state === 'ready') await record(demo, project, index + 1, now)
      await demo.ctx.logs.flush()
    },
  },
]
