import pg from 'pg'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { callDefaults, urlOptions } from './connection-options.ts'

const oldestMajor = 15
/** In milliseconds. */
const timeout = 10_000

// The privileges that migrations need. A failing migration would name a statement, not the setting.
const question = `
  select current_setting('server_version_num')::int / 10000 as major,
         current_setting('transaction_read_only') = 'on' as "readOnly",
         has_database_privilege(current_database(), 'CREATE')
           and coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate"`

type Answer = { major: number; readOnly: boolean; mayCreate: boolean }

/**
 * Connects to the PostgreSQL of a `DATABASE_URL` once. Throws a `SettingError`, without the
 * password, when it is unreachable for ten seconds, rejects the login or lacks privileges.
 */
export async function checkDatabase(url: string): Promise<void> {
  const client = createClient(url)
  const address = `${client.host}:${client.port}/${client.database}`
  // The query fails with the connection. An unhandled error event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<Answer>(question)
    const flaw = rows[0] && flawOf(rows[0])
    if (flaw) throw new Error(flaw)
  } catch (cause) {
    const reason = reasonOf(cause)
    const waited = `it did not answer within ${timeout / 1000} seconds`
    throw new SettingError(
      `DATABASE_URL must lead to a PostgreSQL that can be used, but ${address} cannot: ${/timeout/.test(reason) ? waited : reason}`,
      { cause },
    )
  } finally {
    await client.end()
  }
}

/** Only the client parses the parameters of a URL, such as a certificate file. */
function createClient(url: string) {
  try {
    return new pg.Client({
      ...callDefaults,
      ...urlOptions(url),
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
    })
  } catch (cause) {
    throw new SettingError(`DATABASE_URL must be an address that can be read: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

function flawOf({ major, readOnly, mayCreate }: Answer) {
  if (major < oldestMajor)
    return `it is PostgreSQL ${major}, and ${oldestMajor} is the oldest that works`
  if (readOnly) return 'it can only be read, as a standby'
  if (!mayCreate) return 'its user may not create schemas and tables there'
  return undefined
}
