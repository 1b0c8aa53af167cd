import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../testing/data-folder.ts'
import { createDatabase } from '../testing/database.ts'
import { hasDebianPackage } from '../testing/debian-package.ts'
import { freePort } from '../testing/free-port.ts'
import { until } from '../testing/until.ts'
import { connect } from './connect.ts'
import { checkDatabase } from './connect-check.ts'
import { callDefaults, jobDefaults } from './connection-options.ts'
import { startConnectionProxy } from './connection-proxy.fixture.ts'
import { createLocks } from './locks.ts'
import { listen } from './notifications.ts'

const hasPgBouncer = await hasDebianPackage('/usr/sbin/pgbouncer', 'pgbouncer')
const nobody = { uid: 65_534, gid: 65_534 }

let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** PgBouncer with its defaults in front of the database; returns its URL. */
async function startPgBouncer(mode: 'session' | 'transaction', poolSize = 20) {
  const { user, password } = inject('postgres')
  // The user of PgBouncer cannot enter the folder of the database's socket.
  const proxy = await startConnectionProxy(database.options)
  onTestFinished(() => proxy.close())
  const { host, port: serverPort } = proxy.options
  const folder = await createDataFolder()
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
slipway = host=${host} port=${serverPort} user=${user} password=${password} dbname=${database.options.database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
  )
  // PgBouncer does not run as root.
  const account = process.getuid?.() === 0 ? nobody : {}
  for (const path of 'uid' in account ? [folder, file] : [])
    await chown(path, nobody.uid, nobody.gid)
  const child: ChildProcess = spawn('/usr/sbin/pgbouncer', [file], {
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => output.push(String(chunk)))
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  })
  const url = `postgresql://${user}:any@127.0.0.1:${port}/slipway`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(output.join(''))
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
    client.on('error', () => undefined)
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return url
}

describe.skipIf(!hasPgBouncer)('PgBouncer', () => {
  it.each([1, 20])(
    'the start rejects PgBouncer in transaction mode, with a pool of %d',
    async (poolSize) => {
      const url = await startPgBouncer('transaction', poolSize)
      await expect(checkDatabase(url)).rejects.toThrow(
        /^DATABASE_URL must [^\n]+ cannot: it is behind PgBouncer in transaction mode, which loses locks and notifications: set pool_mode=session/,
      )
    },
  )

  it('the start accepts PgBouncer in session mode, and connections have every setting', async () => {
    const url = await startPgBouncer('session')
    await expect(checkDatabase(url)).resolves.toBeUndefined()
    for (const forJobs of [false, true]) {
      const { db, close } = connect(
        { connectionString: url },
        { forJobs, onError: () => undefined },
      )
      const settings = (forJobs ? jobDefaults : callDefaults).options.matchAll(/-c (\w+)=(\w+)/g)
      for (const [, name, value] of settings) {
        const { rows } = await db.execute(sql`select current_setting(${name}) as value`)
        const normalized = String(rows[0]?.value).replace('min', 'm')
        expect([name, normalized]).toEqual([
          name,
          value === '120s' ? '2m' : value === '60s' ? '1m' : value,
        ])
      }
      await close()
    }
  })

  it('PgBouncer in session mode keeps locks, and delivers notifications', async () => {
    const url = await startPgBouncer('session')
    const log = { warn: () => undefined }
    const locks = [
      createLocks({ connectionString: url }, log),
      createLocks({ connectionString: url }, log),
    ]
    const [first, second] = locks
    const result = await first?.exclusively('work', async () =>
      second?.exclusively('work', async () => 'twice'),
    )
    expect(result).toBeUndefined()
    for (const each of locks) await each.close()

    const notifications = await listen({ connectionString: url }, ['example'], {
      ...log,
      info: () => undefined,
    } as never)
    const received = new Promise((resolve) => notifications.on('example', resolve))
    const { db, close } = connect({ connectionString: url }, { onError: () => undefined })
    await db.execute(sql`select pg_notify('example', 'hello')`)
    expect(await received).toBe('hello')
    await close()
    await notifications.close()
  })
})
