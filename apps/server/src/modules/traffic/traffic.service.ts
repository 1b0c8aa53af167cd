import { day as dayMs, hour as hourMs } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Traffic, TrafficFigures, TrafficRange } from '@slipway/contract/traffic'
import type { Context, UserContext } from '../../context.ts'
import * as projects from '../projects/projects.service.ts'
import * as store from './traffic.store.ts'
import { addCounts, quantile } from './traffic.times.ts'
import { createVisitors } from './traffic.visitors.ts'

const points: Record<TrafficRange, { count: number; step: number }> = {
  day: { count: 24, step: hourMs },
  week: { count: 7, step: dayMs },
  month: { count: 30, step: dayMs },
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The figures of a project's last 24 hours, 7 days or 30 days. Throws `project_not_found`. */
export async function view(ctx: UserContext, id: ProjectId, range: TrafficRange): Promise<Traffic> {
  await projects.requireForUser(ctx, id)
  const { count, step } = points[range]
  const last = Math.floor(ctx.clock.now().getTime() / step) * step
  const first = last - (count - 1) * step
  const [hours, days] = await Promise.all([
    store.listHours(ctx.db, id, new Date(first)),
    step === dayMs ? store.listDays(ctx.db, id, dayOf(first)) : [],
  ])
  const counted = new Map(days.map(({ day, visitors }) => [day, visitors]))
  const byStep = Map.groupBy(hours, ({ hour }) => Math.floor(hour.getTime() / step) * step)
  return {
    range,
    total: summarize(hours, counted),
    points: Array.from({ length: count }, (_, index) => first + index * step).map((time) => ({
      time: new Date(time).toISOString(),
      ...summarize(byStep.get(time) ?? [], counted),
    })),
  }
}

const sum = (hours: readonly store.TrafficHour[], of: (hour: store.TrafficHour) => number) =>
  hours.reduce((total, hour) => total + of(hour), 0)

/** The sums of the hours, and the visitors; `counted` has those of past days. */
function summarize(
  hours: readonly store.TrafficHour[],
  counted: ReadonlyMap<string, number>,
): TrafficFigures {
  const times: number[] = []
  for (const hour of hours) addCounts(times, hour.times)
  return {
    requests: sum(
      hours,
      (each) => each.status1xx + each.status2xx + each.status3xx + each.status4xx + each.status5xx,
    ),
    bytes: sum(hours, ({ bytes }) => bytes),
    visitors: countVisitors(hours, counted),
    clientErrors: sum(hours, ({ status4xx }) => status4xx),
    serverErrors: sum(hours, ({ status5xx }) => status5xx),
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  }
}

/** The sum over days: hashes of different days cannot be compared. */
function countVisitors(
  hours: readonly store.TrafficHour[],
  counted: ReadonlyMap<string, number>,
): number {
  let total = 0
  for (const [day, ofDay] of Map.groupBy(hours, ({ hour }) => dayOf(hour.getTime()))) {
    const visitors = createVisitors()
    for (const hour of ofDay) for (const element of hour.visitors) visitors.add(element)
    total += Math.max(counted.get(day) ?? 0, visitors.count())
  }
  return total
}

/** A busy day of one project has some hundred kilobytes of sketches. */
const projectsPerTransaction = 20

/**
 * Counts the visitors of days before yesterday and empties their sketches, which need a hundred
 * times the space of the figures. Each transaction counts a whole day of some projects, so a killed
 * run loses nothing and the next one continues.
 */
export async function countDays(
  ctx: Pick<Context, 'db' | 'write' | 'clock' | 'stopping'>,
  maxProjects = projectsPerTransaction,
) {
  const yesterday = Math.floor(ctx.clock.now().getTime() / dayMs - 1) * dayMs
  while (!ctx.stopping.aborted) {
    const first = await store.findUncounted(ctx.db, new Date(yesterday))
    if (!first) return
    const start = Math.floor(first.getTime() / dayMs) * dayMs
    const day = { start: new Date(start), end: new Date(start + dayMs) }
    await ctx.write(async (tx) => {
      const hours = await store.lockUncounted(tx, day, maxProjects)
      const days = Map.groupBy(hours, ({ projectId }) => projectId)
      const counted = [...days].map(([projectId, ofDay]) => {
        const visitors = createVisitors()
        for (const hour of ofDay) for (const element of hour.visitors) visitors.add(element)
        return { projectId, day: dayOf(start), visitors: visitors.count() }
      })
      if (counted.length > 0) await store.storeDays(tx, counted, hours)
    })
  }
}

/** Of how many deleted projects one run removes the traffic; the next run continues. */
const projectsPerRun = 1000

/**
 * Removes salts of past days, traffic older than its retention, and the traffic of deleted
 * projects, to which gateways add none.
 */
export async function removeOld(
  { db, clock, stopping }: Pick<Context, 'db' | 'clock' | 'stopping'>,
  maxProjects = projectsPerRun,
) {
  const now = clock.now().getTime()
  await store.removeSalts(db, dayOf(now))
  await store.removeBefore(db, new Date(now - serviceLimits.trafficDays * dayMs))
  await store.removeBatchNumbers(db, new Date(now - 7 * dayMs))
  for (const id of await store.listDeleted(db, maxProjects)) {
    if (stopping.aborted) return
    await store.removeOfProject(db, id)
  }
}
