import pg from 'pg'
import {
  ensurePassword,
  passwordOf,
  type Role,
  requirePasswords,
  roles,
} from './embedded-credentials.ts'
import { type Account, onWindows } from './embedded-program.ts'
import type { Postmaster } from './postmaster.ts'

const database = 'slipway'

/** Connection options of `pg` for the embedded server. */
export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** The connection of a role to the running server of a data folder. */
export function connectionTo(
  { port, socketFolder }: Postmaster,
  dataDir: string,
  role: Role = 'server',
): Connection {
  const host = onWindows ? '127.0.0.1' : socketFolder
  return { host, port, user: roles[role], password: passwordOf(dataDir, role), database }
}

export function urlOf({ host, port, user, database, password }: Connection) {
  const login = `${user}:${password}`
  if (onWindows) return `postgresql://${login}@${host}:${port}/${database}`
  return `postgresql://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/**
 * Creates the service's role, sets the passwords and requires them from now on. May be killed and
 * repeated.
 */
export async function setCredentials(
  running: Postmaster,
  server: { dataDir: string; cluster: string; account: Account | undefined },
): Promise<void> {
  const { dataDir } = server
  const passwords = {
    admin: ensurePassword(dataDir, 'admin'),
    server: ensurePassword(dataDir, 'server'),
  }
  const admin = { ...connectionTo(running, dataDir, 'admin'), database: 'postgres' }
  await withClient(admin, async (client) => {
    const existingRole = await client.query('select from pg_roles where rolname = $1', [
      roles.server,
    ])
    if (existingRole.rowCount === 0) await client.query(`create role ${roles.server}`)
    const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
    await client.query(
      `alter role ${roles.server} with ${attributes} password '${passwords.server}'`,
    )
    await client.query(`alter role ${roles.admin} with password '${passwords.admin}'`)
    requirePasswords(server)
    await client.query('select pg_reload_conf()')
  })
}

/** True when the running server accepts our login. */
export async function canConnect(
  running: Postmaster,
  dataDir: string,
  log: { warn(message: string): void },
) {
  try {
    const connection = { ...connectionTo(running, dataDir), database: 'postgres' }
    await withClient(connection, (client) => client.query('SELECT 1'))
    return true
  } catch (error) {
    log.warn(`The running PostgreSQL server cannot be reached, so it is restarted: ${error}`)
    return false
  }
}

/** Creates our database when missing, owned by the server's role, and takes over older ones. */
export async function ensureDatabase(server: Connection, admin: Connection): Promise<void> {
  if (await ownsDatabase(server)) return
  const exists = await withClient({ ...admin, database: 'postgres' }, async (client) => {
    const existingDatabase = await client.query('select from pg_database where datname = $1', [
      database,
    ])
    if (existingDatabase.rowCount !== 0) return true
    await client.query(`create database ${database} owner ${roles.server}`)
    return false
  })
  if (exists) await withClient(admin, (client) => client.query(takeOver))
}

// PostgreSQL, appendix A: 28P01 is invalid_password, 28000 a role that does not exist.
export const isWrongPassword = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(28P01|28000)$/.test(error.code ?? '')

async function ownsDatabase(server: Connection) {
  try {
    return await withClient(server, async (client) => {
      const { rows } = await client.query<{ owns: boolean }>(
        `select pg_get_userbyid(datdba) = current_user as owns
         from pg_database where datname = current_database()`,
      )
      return rows[0]?.owns === true
    })
  } catch (error) {
    // PostgreSQL, appendix A: 3D000 is a missing database, 42501 a missing privilege.
    if (error instanceof pg.DatabaseError && /^(3D000|42501)$/.test(error.code ?? '')) return false
    throw error
  }
}

/**
 * Gives everything that the superuser of version 0.1.0 created in the database to the server's
 * role. One statement, so one transaction. (`reassign owned` is not allowed for the first
 * superuser.)
 */
const takeOver = `
do $$
declare
  command text;
begin
  for command in
    with ours as (
      select oid, nspname from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
    )
    select format('alter schema %I owner to ${roles.server}', nspname)
    from ours join pg_namespace using (oid, nspname)
    where pg_get_userbyid(nspowner) = '${roles.admin}'
    union all
    select format('alter table %s owner to ${roles.server}', relation.oid::regclass)
    from pg_class relation join ours on ours.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f')
       or relkind = 'S' and not exists (
         select from pg_depend
         where classid = 'pg_class'::regclass and objid = relation.oid and deptype in ('a', 'i')
       )
    union all
    select format('alter routine %s owner to ${roles.server}', routine.oid::regprocedure)
    from pg_proc routine join ours on ours.oid = pronamespace
    union all
    select format('alter type %s owner to ${roles.server}', type.oid::regtype)
    from pg_type type join ours on ours.oid = typnamespace
    where typtype in ('e', 'd', 'r')
       or typtype = 'c' and (select relkind from pg_class where oid = typrelid) = 'c'
  loop
    execute command;
  end loop;
  alter database ${database} owner to ${roles.server};
end $$`

async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  // Handles the error event of a connection lost between two statements.
  const lost = new Promise<never>((_, reject) => client.once('error', reject))
  try {
    await client.connect()
    return await Promise.race([work(client), lost])
  } finally {
    await client.end()
  }
}
