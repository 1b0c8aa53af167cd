import { sql } from 'drizzle-orm'
import { Gauge, Histogram } from 'prom-client'
import type { Measurement, Reading } from './metrics/measurement.ts'

const duration = new Histogram({
  name: 'slipway_job_duration_seconds',
  help: 'Duration of the jobs that this process ran, by queue and outcome.',
  labelNames: ['queue', 'outcome'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120],
})

const running = new Gauge({
  name: 'slipway_jobs_running',
  help: 'Jobs that this process runs, by queue.',
  labelNames: ['queue'],
})

export async function measureRun(queue: string, work: () => Promise<void>) {
  const end = duration.startTimer({ queue })
  running.inc({ queue })
  try {
    await work()
    end({ outcome: 'completed' })
  } catch (error) {
    end({ outcome: 'failed' })
    throw error
  } finally {
    running.dec({ queue })
  }
}

/** The jobs that wait in the queues, for all processes. */
export const queueMeasurement: Measurement = {
  name: 'queues',
  gauges: [
    {
      name: 'slipway_jobs_waiting',
      help: 'Jobs that wait, by queue and state: due now, or delayed until later.',
      labels: ['queue', 'state'],
    },
    {
      name: 'slipway_jobs_oldest_age_seconds',
      help: 'How long the oldest due job of a queue has waited.',
      labels: ['queue'],
    },
  ],
  async read({ db }) {
    const { rows } = await db.execute<Record<'queue' | 'due' | 'delayed' | 'age', string>>(sql`
      select name as queue,
        count(*) filter (where start_after <= now()) as due,
        count(*) filter (where start_after > now()) as delayed,
        coalesce(extract(epoch from now() - min(start_after) filter (where start_after <= now())), 0) as age
      from pgboss.job where state < 'active' and not blocked group by name`)
    return rows.flatMap(({ queue, due, delayed, age }): Reading[] => [
      { name: 'slipway_jobs_waiting', labels: { queue, state: 'due' }, value: Number(due) },
      { name: 'slipway_jobs_waiting', labels: { queue, state: 'delayed' }, value: Number(delayed) },
      { name: 'slipway_jobs_oldest_age_seconds', labels: { queue }, value: Number(age) },
    ])
  },
}
