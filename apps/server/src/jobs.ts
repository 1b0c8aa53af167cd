import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '@slipway/contract/limits'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { fromDrizzle, type JobWithMetadata, PgBoss, type Queue, type SendOptions } from 'pg-boss'
import type { Context } from './context.ts'
import type { Tx } from './db/connect.ts'
import type { Probe } from './db/probe.ts'
import { isUnavailable } from './db/unavailable.ts'
import { measureRun } from './jobs.metrics.ts'

type Data = Record<string, string>

/** A kind of background work. Its handler is idempotent: it may run twice. */
export type Job = {
  /** `<module>.<verb>`. */
  name: string
  /** Concurrent jobs per process. */
  concurrency?: number
  /** Each process runs one job of a group at a time. */
  exclusiveGroups?: boolean
  /** Cron expression of a scheduled job, in UTC. */
  schedule?: string
  /** Options of pg-boss: retries, delays and lifetime. */
  options?: Omit<Queue, 'name' | 'deadLetter'>
  handle(ctx: Context, data: Data): Promise<void>
  /**
   * Handles a job whose last attempt failed. The process of that attempt may have been killed, so
   * nothing else reports it.
   */
  deadLetter?(ctx: Context, data: Data): Promise<void>
}

/** Work that every worker repeats, `every` milliseconds after its last run ended. */
export type Timer = {
  name: string
  every: number
  /** `isFirst` until a run of this process has succeeded. */
  run(ctx: Context, isFirst: boolean): Promise<void>
}

export type Jobs = {
  /** Stores the job in the caller's transaction. */
  send(tx: Tx, name: string, data: Data, options?: SendOptions): Promise<void>
  /** These queues for one request: the log lines of its jobs have its id. */
  ofRequest(requestId: string): Jobs
  /**
   * Processes the queues until `close`. Resolves once the schedules are stored, which waits for a
   * database that is unavailable; rejects when `stopping` aborts meanwhile.
   */
  work(ctx: Context, stopping?: AbortSignal): Promise<void>
  /** Rejects when the jobs' tables cannot be queried. */
  check(probe: Probe): Promise<void>
  /** Fetches no new job and waits for running ones. */
  close(): Promise<void>
}

const defaultOptions = {
  retryLimit: 8,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 60,
  // After this time a job of a killed process is retried.
  heartbeatSeconds: 20,
  // pg-boss counts all jobs at each maintenance, so completed ones are deleted soon.
  deleteAfterSeconds: 24 * 3600,
}

/** Interval of the maintenance that finds killed and expired jobs, in seconds. */
const superviseInterval = 15

const deadLettersOf = (job: Job) => `${job.name}.dead-letter`

/** Creates the queue of a job, and before it its dead letter queue. */
const withDeadLetters = (job: Job): Job[] =>
  job.deadLetter ? [{ name: deadLettersOf(job), handle: job.deadLetter }, job] : [job]

export const queueNames = (jobs: readonly Job[]): string[] =>
  jobs.flatMap(withDeadLetters).map(({ name }) => name)

async function prepareQueue(boss: PgBoss, job: Job) {
  const { policy, partition, ...options } = { ...defaultOptions, ...job.options, notify: true }
  const deadLetter = job.deadLetter ? deadLettersOf(job) : null
  if (await boss.getQueue(job.name)) await boss.updateQueue(job.name, { ...options, deadLetter })
  else
    await boss.createQueue(job.name, {
      ...options,
      ...(deadLetter === null ? {} : { deadLetter }),
      ...(policy ? { policy } : {}),
      ...(partition ? { partition } : {}),
    })
}

/** The field of a job's data with the id of the request that sent it. */
const requestField = '$request'

type Log = {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The job queues of pg-boss, in the same database as the rows. `pollingInterval`, in seconds, finds
 * delayed jobs and retries; new jobs are notified at once. Without `schedules` no job is scheduled.
 */
export async function startJobs(
  options: pg.PoolConfig & { worker: boolean; pollingInterval?: number; schedules?: boolean },
  definitions: readonly Job[],
  log: Log,
): Promise<Jobs> {
  const { worker, pollingInterval = 2, schedules = worker, ...connection } = options
  const jobs = definitions.flatMap(withDeadLetters)
  const boss = new PgBoss({
    ...(connection as object),
    application_name: 'slipway-jobs',
    max: worker ? 6 : 2,
    supervise: worker,
    schedule: schedules,
    useListenNotify: worker,
    superviseIntervalSeconds: superviseInterval,
    monitorIntervalSeconds: superviseInterval,
    maintenanceIntervalSeconds: 600,
  })
  let closing = false
  boss.on('error', (err) => {
    // The connections of the queue may outlive `close` and lose the stopped database.
    if (closing) log.warn({ err }, 'the job queue lost a connection while it closed')
    else log.error({ err }, 'the job queue reports an error')
  })
  // The details of a warning may contain the data of jobs.
  boss.on('warning', ({ message }) => log.warn({}, message))
  await boss.start()
  for (const job of jobs) await prepareQueue(boss, job)

  /** One worker of a job. It fetches the next job as soon as one is done. */
  async function startWorker(ctx: Context, job: Job) {
    let workerId: string | undefined
    workerId = await boss.work(
      job.name,
      {
        includeMetadata: true,
        ...(job.exclusiveGroups ? { localGroupConcurrency: 1 } : {}),
        pollingIntervalSeconds: pollingInterval,
        notifyPollingIntervalSeconds: pollingInterval,
      },
      async ([taken]: JobWithMetadata<Data>[]) => {
        if (!taken) return
        try {
          await measureRun(job.name, () => run(ctx, job, taken))
        } finally {
          // Jobs of one transaction notify only once, so a worker fetches the next job itself
          // instead of waiting for the next poll.
          if (workerId !== undefined) boss.notifyWorker(workerId)
        }
      },
    )
  }

  async function storeSchedules() {
    const scheduled = jobs.filter(({ schedule }) => schedule)
    if (schedules)
      for (const { name, schedule = '' } of scheduled) await boss.schedule(name, schedule)
    // Schedules of an earlier version: nothing would run their jobs.
    const names = new Set(scheduled.map(({ name }) => name))
    for (const { name } of await boss.getSchedules())
      if (!names.has(name)) await boss.unschedule(name)
  }

  const queues: Jobs = {
    async send(tx, name, data, sendOptions) {
      await boss.send(name, data, { ...sendOptions, db: fromDrizzle(tx, sql) })
    },

    ofRequest: (requestId) => ({
      ...queues,
      send: (tx, name, data, sendOptions) =>
        queues.send(tx, name, { ...data, [requestField]: requestId }, sendOptions),
    }),

    async work(ctx, stopping) {
      for (const job of jobs)
        for (let number = 0; number < (job.concurrency ?? 2); number++) await startWorker(ctx, job)
      for (;;) {
        try {
          return await storeSchedules()
        } catch (err) {
          if (!isUnavailable(err) || stopping?.aborted) throw err
          ctx.log.warn({ err }, 'the schedules of the jobs cannot be stored yet')
          await sleep(second, undefined, { signal: stopping })
        }
      }
    },

    async check(probe) {
      const { rowCount } = await probe.run('select from pgboss.queue limit 1')
      if (!rowCount) throw new Error('the job queues are missing')
    },

    close() {
      closing = true
      return boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
  return queues
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

/** Runs a job with a log, and queues, that have the id of the request that sent it. */
async function run(ctx: Context, job: Job, { id, data, retryCount }: JobWithMetadata<Data>) {
  const { [requestField]: requestId, ...ownData } = data ?? {}
  const log = ctx.log.child({
    job: job.name,
    jobId: id,
    ...(requestId === undefined ? {} : { reqId: requestId }),
  })
  const jobs = requestId === undefined ? ctx.jobs : ctx.jobs.ofRequest(requestId)
  try {
    await job.handle({ ...ctx.forJobs(), log, jobs, requestId }, ownData)
  } catch (error) {
    const attempt = retryCount + 1
    if (ctx.stopping.aborted && isAbort(error))
      log.info({ attempt }, 'the shutdown ended the job, which is tried again')
    else log.error({ err: error, attempt }, 'the job failed')
    throw error
  }
}
