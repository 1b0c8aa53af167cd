import pg from 'pg'
import type { Connection } from '../db/embedded-connection.ts'
import { SettingError } from '../env/setting-error.ts'

/** A comment that marks the database's example as complete. A rename of the database keeps it. */
const mark = 'the example of npm run demo'

/** The database that is filled, until it is complete. */
const unfinished = 'slipway_filling'

async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const comment = async (client: pg.Client, name: string) => {
  const { rows } = await client.query(
    "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
    [name],
  )
  return rows[0]?.comment as string | null | undefined
}

/** True for a database without tables, as the server has just created it. */
const isEmpty = (connection: Connection) =>
  withClient(connection, async (client) => {
    const { rowCount } = await client.query(
      "select from pg_namespace where nspname in ('drizzle', 'pgboss')",
    )
    return rowCount === 0
  })

/**
 * Ensures that the database contains the complete example. It is filled in another database, which
 * is renamed in one step when complete; after a kill the next start begins again. Returns false
 * when the example existed. Throws a `SettingError` when the database contains something else.
 */
export async function fillOnce(
  { connection, admin }: { connection: Connection; admin: Connection },
  fill: (connection: Connection) => Promise<void>,
): Promise<boolean> {
  const { database, user } = connection
  return withClient({ ...admin, database: 'postgres' }, async (client) => {
    if ((await comment(client, database)) === mark) return false
    if (!(await isEmpty(connection)))
      throw new SettingError(
        'DATA_DIR must be a folder beside which the demo can have its own, but the one there holds another service: choose another folder',
      )
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished} owner ${user}`)
    await fill({ ...connection, database: unfinished })
    await client.query(`comment on database ${unfinished} is '${mark}'`)
    await client.query(`drop database ${database} with (force)`)
    await client.query(`alter database ${unfinished} rename to ${database}`)
    return true
  })
}
