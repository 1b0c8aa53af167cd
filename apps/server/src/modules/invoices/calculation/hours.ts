import { day, hour, limits } from '@slipway/contract/limits'

/** A time, in milliseconds since 1970; the end is exclusive. */
export type TimeSpan = { start: number; end: number }

/** Hours of running that begin one after the other, an hour apart. `first` counts from 0 in their month. */
export type HourRun = { begins: number; first: number; hours: number }

/** The times a project ran within a month, in order; what overlaps counts once, whatever the rows say. */
export function clip(times: readonly TimeSpan[], month: TimeSpan): TimeSpan[] {
  let until = month.start
  return times.flatMap(({ start, end }) => {
    const time = { start: Math.max(start, until), end: Math.min(end, month.end) }
    if (time.end <= time.start) return []
    until = time.end
    return [time]
  })
}

/**
 * The hours that are billed of one project in one month: its times are put end to end, and an hour begins
 * whenever whole hours of running have gone by and it runs on. `nextBoundary` gives the next moment after the
 * given one, at which a run is to end: hours that begin on two sides of it are in two runs.
 */
export function* runsOf(
  times: readonly TimeSpan[],
  nextBoundary: (moment: number) => number,
): Generator<HourRun> {
  let before = 0
  let begun = 0
  for (const { start, end } of times) {
    while (begun < limits.billedHoursPerMonth) {
      const begins = start + begun * hour - before
      if (begins >= end) break
      const until = Math.min(end, nextBoundary(begins))
      const hours = Math.min(Math.ceil((until - begins) / hour), limits.billedHoursPerMonth - begun)
      yield { begins, first: begun, hours }
      begun += hours
    }
    before += end - start
  }
}

/** The start of the day of a moment, in UTC: days since 1970 are all equally long there. */
export const dayStart = (moment: number) => Math.floor(moment / day) * day
