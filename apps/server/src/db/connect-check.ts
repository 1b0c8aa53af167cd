import type pg from 'pg'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { callDefaults, urlOptions } from './connection-options.ts'
import { SessionClient } from './session-client.ts'

const oldestMajor = 14
/** The timeout of the connection check, in milliseconds. */
const timeout = 10_000

// The privileges that migrations need. A failing migration would name a statement, not the setting.
const requirementsQuery = `
  select current_setting('server_version_num')::int / 10000 as major,
         current_setting('transaction_read_only') = 'on' as "readOnly",
         has_database_privilege(current_database(), 'CREATE')
           and coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate"`

type Requirements = { major: number; readOnly: boolean; mayCreate: boolean }

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
    const { rows } = await client.query<Requirements>(requirementsQuery)
    const flaw = rows[0] && findFlaw(rows[0])
    if (flaw) throw new Error(flaw)
    if (await sharesSession(client, url)) throw new Error(sharedSession)
  } catch (cause) {
    const reason = reasonOf(cause)
    const isUnknownAuthority = unknownAuthority.has((cause as NodeJS.ErrnoException).code ?? '')
    const hint = isUnknownAuthority ? authorityHint : ''
    const waited = `it did not respond within ${timeout / 1000} seconds`
    throw new SettingError(
      `DATABASE_URL must lead to a PostgreSQL that can be used, but ${address} cannot: ${/timeout/.test(reason) ? waited : reason}${hint}`,
      { cause },
    )
  } finally {
    await client.end()
  }
}

/** Codes of OpenSSL for a certificate whose authority is not known. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const authorityHint =
  '. Name the certificate authority: ?sslmode=verify-full&sslrootcert=/path/to/authority.pem'

const sharedSession =
  'it is behind PgBouncer in transaction mode, which loses locks and notifications: set pool_mode=session, or connect to PostgreSQL itself'

/**
 * True if a pooler gives a second client the server process of the first, idle one. A session then
 * loses its settings, locks and notifications.
 */
async function sharesSession(first: pg.Client, url: string): Promise<boolean> {
  const second = createClient(url)
  second.on('error', () => undefined)
  try {
    await second.connect()
    for (const client of [first, second, first, second]) {
      const otherClient = client === first ? second : first
      const idle = await processOf(otherClient)
      await client.query('begin')
      if ((await processOf(client)) === idle) return true
      // The transaction may have taken the server process that the other client had.
      if ((await processOf(otherClient)) !== idle) return true
      await client.query('rollback')
    }
    return false
  } finally {
    await second.end()
  }
}

const processOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

/** Only the client parses the parameters of a URL, such as a certificate file. */
function createClient(url: string) {
  try {
    return new SessionClient({
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

function findFlaw({ major, readOnly, mayCreate }: Requirements) {
  if (major < oldestMajor)
    return `it is PostgreSQL ${major}, and ${oldestMajor} is the oldest that works`
  if (readOnly) return 'it can only be read, as a standby'
  if (!mayCreate) return 'its user may not create schemas and tables there'
  return undefined
}
