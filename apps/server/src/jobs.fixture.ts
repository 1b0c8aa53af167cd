import pg from 'pg'
import { PgBoss } from 'pg-boss'

/**
 * Fetches a job without completing it, as a killed process does, and runs the queue's maintenance
 * as if an hour later. `last`: it was the job's last attempt.
 */
export async function abandonJob(
  database: pg.ClientConfig,
  queue: string,
  { last = false }: { last?: boolean } = {},
) {
  const client = new pg.Client(database)
  await client.connect()
  const boss = new PgBoss({ ...(database as object), max: 1, supervise: false, schedule: false })
  boss.on('error', (error) => {
    throw error
  })
  await boss.start()
  try {
    const [job] = await boss.fetch(queue)
    if (!job) throw new Error(`no job waits in ${queue}`)
    await client.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour',
       retry_count = case when $2 then retry_limit else retry_count end where id = $1`,
      [job.id, last],
    )
    // Makes the next maintenance of the queue due.
    await client.query('update pgboss.queue set monitor_on = null where name = $1', [queue])
    await boss.supervise(queue)
  } finally {
    await boss.stop()
    await client.end()
  }
}
