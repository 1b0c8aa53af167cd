/** The only source of the time, so that a test can move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** The latest of the dates. */
export const latest = (...dates: readonly Date[]) =>
  new Date(Math.max(...dates.map((date) => date.getTime())))
