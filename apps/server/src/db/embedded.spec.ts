import { spawnSync } from 'node:child_process'
import {
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { afterEach, describe, expect, it } from 'vitest'
import {
  cleanUp,
  log,
  newDataDir,
  ordinaryUser,
  postmasterOf,
  query,
  serverScript,
  start,
  startServerProcess,
  startVersion010,
} from './embedded.fixture.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { nobody } from './embedded-program.ts'
import { migrate } from './migrate.ts'

const isRoot = process.getuid?.() === 0
// False when the repository is in a folder of root.
const ordinaryUsersMayRead =
  isRoot && spawnSync('test', ['-r', serverScript], ordinaryUser()).status === 0

afterEach(cleanUp)

describe('startEmbeddedPostgres', { timeout: 120_000 }, () => {
  it('the first start creates the database, and data survives a restart', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir)
    await query(first, 'CREATE TABLE test_rows (word text)')
    await query(first, "INSERT INTO test_rows VALUES ('ığüşöç')")
    await Promise.all([first.stop(), first.stop()])
    expect(postmasterOf(dataDir)).toBeUndefined()

    const second = await start(dataDir)
    expect(await query(second, 'SELECT word FROM test_rows')).toEqual([{ word: 'ığüşöç' }])
  })

  it('accepts connections by URL or options through a private socket', async () => {
    const server = await start(newDataDir())
    const client = new pg.Client(server.url)
    await client.connect()
    const { rows } = await client.query('SELECT current_user AS user, current_database() AS name')
    await client.end()
    expect(rows).toEqual([{ user: 'slipway_server', name: 'slipway' }])

    expect(await query(server, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
    expect(await query(server, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
  })

  it('the service is no superuser, and every connection needs its password', async () => {
    const server = await start(newDataDir())
    const role = `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
      from pg_roles where rolname = current_user`
    expect(Object.values((await query(server, role))[0])).toEqual(Array(5).fill(false))
    const owner =
      'select pg_get_userbyid(datdba) from pg_database where datname = current_database()'
    expect(await query(server, owner)).toEqual([{ pg_get_userbyid: 'slipway_server' }])
    for (const user of ['slipway', 'slipway_server', 'postgres']) {
      const client = new pg.Client({ ...server.connection, user, password: 'guessed' })
      await expect(client.connect(), user).rejects.toThrow('password authentication failed')
    }
  })

  it('gets new passwords when those of the folder belong to another database', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir)
    await query(first, 'CREATE TABLE test_rows AS SELECT 7 AS number')
    await first.stop()
    for (const role of ['admin', 'server'])
      writeFileSync(join(dataDir, 'keys', `database-password-${role}`), 'another')
    const second = await start(dataDir)
    expect(await query(second, 'SELECT number FROM test_rows')).toEqual([{ number: 7 }])
    await second.stop()
    rmSync(join(dataDir, 'keys'), { recursive: true })
    const third = await start(dataDir)
    expect(await query(third, 'SELECT number FROM test_rows')).toEqual([{ number: 7 }])
  })

  it('takes over the database of version 0.1.0, which accepted everyone as superuser', async () => {
    const dataDir = newDataDir()
    const older = await startVersion010(dataDir)
    await migrate(older)
    const boss = new PgBoss({ ...older, supervise: false, schedule: false } as never)
    await boss.start()
    await boss.stop({ graceful: false })
    const client = new pg.Client(older)
    await client.connect()
    await client.query(`insert into secrets (name, value, created_at) values ('kept', 'x', now())`)
    await client.end()

    const server = await start(dataDir)
    expect(await query(server, 'select name from secrets')).toEqual([{ name: 'kept' }])
    // The types of pg_trgm stay with their extension.
    const foreign = `
      select 'relation', relname from pg_class where relnamespace >= 16384 and relowner <> current_user::regrole
      union all select 'public', relname from pg_class where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole
      union all select 'schema', nspname from pg_namespace where oid >= 16384 and nspowner <> current_user::regrole
      union all select 'routine', proname from pg_proc where oid >= 16384 and proowner <> current_user::regrole
      union all select 'type', typname from pg_type where oid >= 16384 and typowner <> current_user::regrole
        and typname not in ('gtrgm', '_gtrgm')`
    expect(await query(server, foreign)).toEqual([])
    await migrate(server.connection)
    const jobs = new PgBoss({ ...server.connection, supervise: false, schedule: false })
    await jobs.start()
    await jobs.createQueue('test')
    await jobs.send('test', {})
    await jobs.stop({ graceful: false })
    const guess = new pg.Client({ ...server.connection, user: 'slipway', password: '' })
    await expect(guess.connect()).rejects.toThrow()
    if (isRoot) expect(statSync(join(dataDir, 'database', 'PG_VERSION')).uid).not.toBe(nobody().uid)
  })

  it('a long data folder path gets a short socket folder', async () => {
    const dataDir = join(newDataDir(), 'a'.repeat(60), 'b'.repeat(60))
    const server = await start(dataDir)
    expect(server.connection.host.length).toBeLessThan(90)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    rmSync(server.connection.host, { recursive: true })
  })

  it('runs in a data folder with a space and an apostrophe in its name', async () => {
    const server = await start(join(newDataDir(), "the owner's data"))
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('rejects a data folder in use, without affecting its server', async () => {
    const dataDir = newDataDir()
    const serverProcess = await startServerProcess(dataDir)
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      `DATA_DIR must be a folder for this server alone, but another server is using ${dataDir}`,
    )
    await serverProcess.run('SELECT 1')
  })

  it('exactly one of two concurrent starts gets the data folder', async () => {
    const dataDir = newDataDir()
    const starts = await Promise.allSettled([start(dataDir), start(dataDir)])
    expect(starts.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('rejects the database of another version without changing it', async () => {
    const dataDir = newDataDir()
    mkdirSync(join(dataDir, 'database'))
    writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '17\n')
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      'DATA_DIR has the database of a PostgreSQL 17',
    )
    expect(readFileSync(join(dataDir, 'database', 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  describe.runIf(isRoot)('the embedded database of root', () => {
    it('runs as its own system user, which the machine does not list', async () => {
      const dataDir = newDataDir()
      await start(dataDir)
      const cluster = join(dataDir, 'database')
      const { uid, gid } = statSync(cluster)
      expect(uid).toBeGreaterThanOrEqual(29_000)
      expect(uid).toBeLessThan(30_000)
      expect(readFileSync('/etc/passwd', 'utf8')).not.toMatch(
        new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'),
      )
      for (const path of readdirSync(cluster, { recursive: true, encoding: 'utf8' }))
        expect(lstatSync(join(cluster, path)), path).toMatchObject({ uid, gid })
    })

    it('a process of `nobody` can neither connect nor read a password', async () => {
      const dataDir = newDataDir()
      const { host, port, password } = (await start(dataDir)).connection
      const attempt = `
        const socket = require('node:net').connect('${host}/.s.PGSQL.${port}')
        socket.on('connect', () => console.log('connected')).on('error', (e) => console.log(e.code))
        const folder = '${dataDir}/keys'
        try { console.log(require('node:fs').readdirSync(folder)) } catch (e) { console.log(e.code) }`
      const { stdout } = spawnSync(process.execPath, ['-e', attempt], {
        ...nobody(),
        cwd: '/',
        encoding: 'utf8',
      })
      expect(stdout.trim().split('\n')).toEqual(['EACCES', 'EACCES'])
      expect(password).toMatch(/^[\w-]{32}$/)
    })

    it('runs as the owner of an existing database', async () => {
      const dataDir = newDataDir()
      await (await start(dataDir)).stop()
      const { uid, gid } = ordinaryUser()
      const cluster = join(dataDir, 'database')
      for (const path of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
        lchownSync(join(dataDir, path), uid, gid)
      }

      const server = await start(dataDir)
      expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
      expect(statSync(join(cluster, 'postmaster.pid')).uid).toBe(uid)
    })

    it('names the folder that its user cannot enter', async () => {
      const closed = join(newDataDir(), 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const dataDir = join(closed, 'data')
      await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
        `cannot enter ${closed}: run chmod o+x ${closed}`,
      )
    })
  })

  it.runIf(isRoot && ordinaryUsersMayRead)(
    'runs under the account of the ordinary user who starts the server',
    async () => {
      const { uid, gid } = ordinaryUser()
      const dataDir = newDataDir()
      chownSync(dataDir, uid, gid)
      const serverProcess = await startServerProcess(dataDir, { uid, gid })
      await serverProcess.run('CREATE TABLE test_rows AS SELECT 7 AS number')
      expect(statSync(join(dataDir, 'database', 'postmaster.pid')).uid).toBe(uid)
      await serverProcess.exit()
    },
  )
})
