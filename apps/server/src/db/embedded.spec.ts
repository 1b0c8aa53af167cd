import { spawnSync } from 'node:child_process'
import {
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
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
} from './embedded.fixture.ts'
import { startEmbeddedPostgres } from './embedded.ts'

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
    expect(rows).toEqual([{ user: 'slipway', name: 'slipway' }])

    expect(await query(server, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
    expect(await query(server, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
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
    const both = await Promise.allSettled([start(dataDir), start(dataDir)])
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
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

  describe.runIf(isRoot)('for root', () => {
    it('runs as the user `nobody`', async () => {
      const dataDir = newDataDir()
      await start(dataDir)
      expect(statSync(join(dataDir, 'database')).uid).toBe(65534)
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

    it('names the folder that the user nobody cannot enter', async () => {
      const closed = join(newDataDir(), 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const dataDir = join(closed, 'data')
      await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
        `cannot enter ${closed}: run chmod o+x ${closed}`,
      )
    })
  })

  it.runIf(isRoot && ordinaryUsersMayRead)(
    'an ordinary user runs it under their own account',
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
