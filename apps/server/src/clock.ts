/**
 * The source of every time that the modules store or compare: the database's time
 * (`db/database-clock.ts`), so that servers whose clocks differ agree. A test moves its own. The
 * gateway, the engines, logs and files use the time of their machine.
 */
export type Clock = { now(): Date }

export const latest = (...dates: readonly Date[]) =>
  new Date(Math.max(...dates.map((date) => date.getTime())))
