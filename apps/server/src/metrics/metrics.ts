import { Counter, collectDefaultMetrics, Gauge, Registry, register } from 'prom-client'
import type { Clock } from '../clock.ts'
import { connect, type Database } from '../db/connect.ts'
import type { Build } from './build.ts'
import type { Measurement, Reading } from './measurement.ts'

/** Timeout of a measurement, its wait for a connection included, in milliseconds. */
const measurementTimeout = 5_000

const connectionOptions = {
  application_name: 'slipway metrics',
  connectionTimeoutMillis: 2_000,
  options: '-c statement_timeout=2000 -c default_transaction_read_only=on -c timezone=UTC',
}

const failures = new Counter({
  name: 'slipway_measurement_failures_total',
  help: 'Measurements that failed or took too long: their gauges are missing from the scrape.',
  labelNames: ['measurement'],
})

export type Metrics = {
  /** All metrics in Prometheus' text format. */
  render(): Promise<string>
  contentType: string
  close(): Promise<void>
}

/**
 * The metrics of this process. Measurements have their own database connections, so that a
 * scrape also works while the pool is exhausted.
 */
export function createMetrics(options: {
  database: Database['options']
  build: Build
  measurements: readonly Measurement[]
  clock: Clock
  log: { warn(fields: object, message: string): void }
}): Metrics {
  const { measurements, build, clock, log } = options
  const { db, close } = connect(
    { ...options.database, ...connectionOptions },
    { connections: 2, onError: (err) => log.warn({ err }, 'a connection of the metrics broke') },
  )
  // Counters are in the default registry: they belong to the process.
  const processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry })
  const info = new Gauge({
    name: 'slipway_build_info',
    help: 'The version that runs; always 1.',
    labelNames: ['version', 'commit', 'migration'],
    registers: [processRegistry],
  })
  const { version, commit, migration } = build
  info.set({ version, commit: commit ?? '', migration: migration ?? '' }, 1)

  async function collect() {
    // New gauges for each scrape: the last value of a failed measurement would hide the failure.
    const scrape = new Registry()
    await Promise.all(
      measurements.map(async ({ name, gauges, read }) => {
        try {
          setGauges(scrape, gauges, await inTime(read({ db, clock })))
        } catch (err) {
          failures.inc({ measurement: name })
          log.warn({ err, measurement: name }, 'a measurement failed')
        }
      }),
    )
    const texts = [register, processRegistry, scrape].map((registry) => registry.metrics())
    return (await Promise.all(texts)).join('')
  }

  let collecting: Promise<string> | undefined
  return {
    contentType: register.contentType,
    // Concurrent scrapes share one collection.
    render() {
      collecting ??= collect().finally(() => {
        collecting = undefined
      })
      return collecting
    },
    async close() {
      await collecting
      await close()
    },
  }
}

function setGauges(
  registry: Registry,
  definitions: Measurement['gauges'],
  readings: readonly Reading[],
) {
  const gauges = new Map(
    definitions.map(({ name, help, labels = [] }) => {
      const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] })
      // A gauge without labels would begin at 0.
      if (labels.length === 0) gauge.remove()
      return [name, gauge]
    }),
  )
  for (const { name, labels = {}, value } of readings) {
    const gauge = gauges.get(name)
    if (!gauge) throw new Error(`${name} is not declared`)
    gauge.set(labels, value)
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the measurement took too long')), measurementTimeout)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
