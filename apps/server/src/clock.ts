/**
 * The only source of the time. In the service it is the database's time (`db/database-clock.ts`),
 * so that servers whose clocks differ agree; a test moves its own.
 */
export type Clock = { now(): Date }

export const latest = (...dates: readonly Date[]) =>
  new Date(Math.max(...dates.map((date) => date.getTime())))
