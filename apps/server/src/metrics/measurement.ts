import type { Context } from '../context.ts'

export type GaugeDefinition = {
  /** By Prometheus' conventions: a prefix, the base unit last. */
  name: string
  help: string
  /** Labels with few values: never an id, an address or a text that a user chooses. */
  labels?: readonly string[]
}

export type Reading = { name: string; labels?: Record<string, string>; value: number }

/** Gauges that are read at each scrape, such as counts of rows. */
export type Measurement = {
  /** Names the measurement in the log when it fails. */
  name: string
  gauges: readonly GaugeDefinition[]
  /** At most one cheap query: its statements end after two seconds. */
  read(ctx: Pick<Context, 'db' | 'clock'>): Promise<readonly Reading[]>
}

/** The seconds since a time; 0 for none and for a time in the future. */
export const ageInSeconds = (since: Date | string | null | undefined, now: Date) =>
  since ? Math.max(0, (now.getTime() - new Date(since).getTime()) / 1000) : 0
