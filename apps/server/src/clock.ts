/** Where the time comes from. Everything asks this one, so that a test can move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** The latest of the moments. */
export const latest = (...moments: readonly Date[]) =>
  new Date(Math.max(...moments.map((moment) => moment.getTime())))
