import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { fromDrizzle, type JobWithMetadata, PgBoss, type Queue, type SendOptions } from 'pg-boss'
import type { Context } from './context.ts'
import type { Tx } from './db/connect.ts'

type Data = Record<string, string>

/** One kind of work done behind the requests. Its handler may run twice and must then do no harm. */
export type Job = {
  /** `<module>.<verb>`. */
  name: string
  /** How many run at once in one process. */
  concurrency?: number
  /** Cron expression, in UTC, of a job that runs by itself. */
  schedule?: string
  /** Retries, delays and lifetime, as pg-boss names them. */
  options?: Omit<Queue, 'name' | 'deadLetter'>
  handle(ctx: Context, data: Data): Promise<void>
  /**
   * Ends what the job was about after its last attempt failed. That attempt may have been killed with
   * its process: then nothing else ever hears of it.
   */
  deadLetter?(ctx: Context, data: Data): Promise<void>
}

/** Work done again and again in every worker, `every` so many milliseconds after it last ended. */
export type Timer = {
  name: string
  every: number
  run(ctx: Context): Promise<void>
}

export type Jobs = {
  /** Stores the job in the caller's transaction: it exists if, and only if, that commits. */
  send(tx: Tx, name: string, data: Data, options?: SendOptions): Promise<void>
  /** Works through the queues until `close`. */
  work(ctx: Context): Promise<void>
  /** Rejects when the jobs' tables cannot be asked. */
  check(): Promise<void>
  /** Takes no new job, waits for those under way. */
  close(): Promise<void>
}

const patience = {
  retryLimit: 8,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 60,
  // A job whose process was killed is not heard of for so long, and then tried again.
  heartbeatSeconds: 20,
  // pg-boss counts its jobs with every look at them: those that are done need not be many.
  deleteAfterSeconds: 24 * 3600,
}

/** How often, in seconds, the queues are looked at for jobs that were killed or took too long. */
const superviseInterval = 15

const deadLettersOf = (job: Job) => `${job.name}.dead-letter`

/** The job, and before it the one that takes its dead letters. */
const withDeadLetters = (job: Job): Job[] =>
  job.deadLetter ? [{ name: deadLettersOf(job), handle: job.deadLetter }, job] : [job]

async function prepareQueue(boss: PgBoss, job: Job) {
  const { policy, partition, ...options } = { ...patience, ...job.options, notify: true }
  const wanted = { ...options, ...(job.deadLetter ? { deadLetter: deadLettersOf(job) } : {}) }
  if (await boss.getQueue(job.name)) await boss.updateQueue(job.name, wanted)
  else
    await boss.createQueue(job.name, {
      ...wanted,
      ...(policy ? { policy } : {}),
      ...(partition ? { partition } : {}),
    })
}

type Log = {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The job queues, in the database beside the rows they are about (pg-boss). `pollingInterval` is in
 * seconds: jobs that wait for a later time or another attempt are found by it, all others at once.
 */
export async function startJobs(
  options: pg.PoolConfig & { worker: boolean; pollingInterval?: number },
  given: readonly Job[],
  log: Log,
): Promise<Jobs> {
  const { worker, pollingInterval = 2, ...connection } = options
  const jobs = given.flatMap(withDeadLetters)
  const boss = new PgBoss({
    ...(connection as object),
    max: worker ? 6 : 2,
    supervise: worker,
    schedule: worker,
    useListenNotify: worker,
    superviseIntervalSeconds: superviseInterval,
    monitorIntervalSeconds: superviseInterval,
    maintenanceIntervalSeconds: 600,
  })
  let closing = false
  boss.on('error', (err) => {
    // Its connections may outlive `close` by a moment, and find that the database is stopped, too.
    if (closing) log.warn({ err }, 'the job queue lost a connection while it closed')
    else log.error({ err }, 'the job queue reports an error')
  })
  // Its details may hold the data of jobs.
  boss.on('warning', ({ message }) => log.warn({}, message))
  await boss.start()
  for (const job of jobs) await prepareQueue(boss, job)

  /** One worker of the job: takes one after the other, and looks for the next as soon as one is done. */
  async function startWorker(ctx: Context, job: Job) {
    let workerId: string | undefined
    workerId = await boss.work(
      job.name,
      {
        includeMetadata: true,
        pollingIntervalSeconds: pollingInterval,
        notifyPollingIntervalSeconds: pollingInterval,
      },
      async ([taken]: JobWithMetadata<Data>[]) => {
        if (!taken) return
        const log = ctx.log.child({ job: job.name, jobId: taken.id })
        try {
          await job.handle({ ...ctx, log }, taken.data ?? {})
        } catch (error) {
          log.error({ err: error, attempt: taken.retryCount + 1 }, 'the job failed')
          throw error
        } finally {
          // Jobs of one transaction are announced once, for one worker each: who took one of them looks
          // for the next by itself, where pg-boss would wait for its next poll.
          if (workerId !== undefined) boss.notifyWorker(workerId)
        }
      },
    )
  }

  return {
    async send(tx, name, data, sendOptions) {
      await boss.send(name, data, { ...sendOptions, db: fromDrizzle(tx, sql) })
    },

    async work(ctx) {
      for (const job of jobs) {
        for (let number = 0; number < (job.concurrency ?? 2); number++) await startWorker(ctx, job)
        if (job.schedule) await boss.schedule(job.name, job.schedule)
      }
    },

    async check() {
      const queue = jobs[0]
      if (queue && !(await boss.getQueue(queue.name))) throw new Error('the job queues are missing')
    },

    close() {
      closing = true
      return boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}
