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
  options?: Omit<Queue, 'name'>
  handle(ctx: Context, data: Data, attempt: { last: boolean }): Promise<void>
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
}

/** The job queues, in the database beside the rows they are about (pg-boss). */
export async function startJobs(
  options: pg.PoolConfig & { worker: boolean },
  jobs: readonly Job[],
  log: { error(fields: object, message: string): void },
): Promise<Jobs> {
  const { worker, ...connection } = options
  const boss = new PgBoss({
    ...(connection as object),
    max: worker ? 6 : 2,
    supervise: worker,
    schedule: worker,
    useListenNotify: worker,
    // After a kill the jobs that were under way are found again within this time.
    monitorIntervalSeconds: 30,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue reports an error'))
  await boss.start()
  for (const { name, options: queue } of jobs) {
    const wanted = { ...patience, ...queue, notify: true }
    if (await boss.getQueue(name)) await boss.updateQueue(name, wanted)
    else await boss.createQueue(name, wanted)
  }

  /** One worker of the job: takes one after the other, and looks for the next as soon as one is done. */
  async function startWorker(ctx: Context, job: Job) {
    let workerId: string | undefined
    workerId = await boss.work(
      job.name,
      { includeMetadata: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 },
      async ([taken]: JobWithMetadata<Data>[]) => {
        if (!taken) return
        const log = ctx.log.child({ job: job.name, jobId: taken.id })
        try {
          await job.handle({ ...ctx, log }, taken.data ?? {}, {
            last: taken.retryCount >= taken.retryLimit,
          })
        } catch (error) {
          log.error({ err: error, attempt: taken.retryCount + 1 }, 'the job failed')
          throw error
        } finally {
          // What came while it was busy was announced to nobody: pg-boss would wait for its next poll.
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

    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
