import { day, hour, limits } from '@slipway/contract/limits'

/** A time span in epoch milliseconds; the end is exclusive. */
export type TimeSpan = { start: number; end: number }

/**
 * Consecutive billed hours, an hour apart. `first` is the index of the first in its month, from 0.
 */
export type HourRun = { begins: number; first: number; hours: number }

/** The time spans within a month, in order and without overlaps. */
export function clip(spans: readonly TimeSpan[], month: TimeSpan): TimeSpan[] {
  let until = month.start
  return spans.flatMap(({ start, end }) => {
    const span = { start: Math.max(start, until), end: Math.min(end, month.end) }
    if (span.end <= span.start) return []
    until = span.end
    return [span]
  })
}

/**
 * The billed hours of one project in one month. Its time spans are joined end to end, and a billed
 * hour begins at every full hour of running time. `nextBoundary` returns the next time at which a
 * run is split: hours that begin before and after it are in different runs.
 */
export function* runsOf(
  spans: readonly TimeSpan[],
  nextBoundary: (time: number) => number,
): Generator<HourRun> {
  let elapsed = 0
  let count = 0
  for (const { start, end } of spans) {
    while (count < limits.billedHoursPerMonth) {
      const begins = start + count * hour - elapsed
      if (begins >= end) break
      const until = Math.min(end, nextBoundary(begins))
      const hours = Math.min(Math.ceil((until - begins) / hour), limits.billedHoursPerMonth - count)
      yield { begins, first: count, hours }
      count += hours
    }
    elapsed += end - start
  }
}

/**
 * When the last billed hour begins of a project that reaches the monthly cap: it runs on unbilled.
 * Undefined if each of its hours is billed. Expects the same time spans as `runsOf`.
 */
export function lastBilledHour(spans: readonly TimeSpan[]): number | undefined {
  const running = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  if (running <= limits.billedHoursPerMonth * hour) return undefined
  let left = (limits.billedHoursPerMonth - 1) * hour
  for (const { start, end } of spans) {
    if (left < end - start) return start + left
    left -= end - start
  }
  return undefined
}

/** The start of a time's UTC day, in epoch milliseconds: all UTC days have the same length. */
export const dayStart = (time: number) => Math.floor(time / day) * day
