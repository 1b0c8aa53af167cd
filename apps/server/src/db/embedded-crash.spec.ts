import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  cleanUp,
  newDataDir,
  onCleanUp,
  postmasterOf,
  query,
  spawnServerProcess,
  start,
  startServerProcess,
} from './embedded.fixture.ts'

afterEach(cleanUp)

describe('startEmbeddedPostgres after a crash', { timeout: 120_000 }, () => {
  it('uses the server that survived its killed parent process', async () => {
    const dataDir = newDataDir()
    const serverProcess = await startServerProcess(dataDir)
    await serverProcess.run('CREATE TABLE test_rows AS SELECT 7 AS number')
    const before = postmasterOf(dataDir)
    await serverProcess.kill()

    const server = await start(dataDir)
    expect(postmasterOf(dataDir)?.pid).toBe(before?.pid)
    expect(await query(server, 'SELECT number FROM test_rows')).toEqual([{ number: 7 }])
  })

  it('committed data survives a kill of the server and its parent process', async () => {
    const dataDir = newDataDir()
    const serverProcess = await startServerProcess(dataDir)
    await serverProcess.run('CREATE TABLE test_rows AS SELECT 7 AS number')
    const before = postmasterOf(dataDir)
    if (!before) throw new Error('no server runs')
    await serverProcess.kill()
    process.kill(before.pid, 'SIGKILL')

    const server = await start(dataDir)
    expect(postmasterOf(dataDir)?.pid).not.toBe(before.pid)
    expect(await query(server, 'SELECT number FROM test_rows')).toEqual([{ number: 7 }])
  })

  it('waits for a stopping server and starts another', async () => {
    const dataDir = newDataDir()
    const serverProcess = await startServerProcess(dataDir)
    const before = postmasterOf(dataDir)
    if (!before) throw new Error('no server runs')
    await serverProcess.kill()
    process.kill(before.pid, 'SIGINT')

    const server = await start(dataDir)
    expect(postmasterOf(dataDir)?.pid).not.toBe(before.pid)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts over after a kill during the creation of the database', async () => {
    const dataDir = newDataDir()
    const serverProcess = spawnServerProcess(dataDir)
    await vi.waitFor(() => expect(unfinishedCluster(dataDir)).toContain('PG_VERSION'), {
      timeout: 60_000,
      interval: 5,
    })
    await serverProcess.kill()
    expect(existsSync(join(dataDir, 'database'))).toBe(false)

    const server = await start(dataDir)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(unfinishedCluster(dataDir)).toEqual([])
  })

  it("replaces an incomplete copy of PostgreSQL's binaries", async () => {
    const dataDir = newDataDir()
    mkdirSync(join(dataDir, 'postgresql-18', 'bin'), { recursive: true })
    mkdirSync(join(dataDir, 'postgresql-18.unfinished-abc'))
    const server = await start(dataDir)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(readdirSync(dataDir)).not.toContain('postgresql-18.unfinished-abc')
  })

  it('ignores another process that has the PID of a crashed server', async () => {
    const dataDir = newDataDir()
    await (await start(dataDir)).stop()
    const cluster = join(dataDir, 'database')
    const { uid, gid } = statSync(cluster)
    const foreignProcess = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' })
    onCleanUp(() => foreignProcess.kill('SIGKILL'))
    await once(foreignProcess, 'spawn')
    const started = Math.floor(Date.now() / 1000)
    writeFileSync(
      join(cluster, 'postmaster.pid'),
      `${foreignProcess.pid}\n${cluster}\n${started}\n5432\n${dataDir}/database-socket\n\n\nready\n`,
    )

    const server = await start(dataDir)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(foreignProcess.exitCode ?? foreignProcess.signalCode).toBeNull()
  })

  it('a parent process that exits without stopping the server leaves none running', async () => {
    const dataDir = newDataDir()
    const serverProcess = await startServerProcess(dataDir)
    expect(postmasterOf(dataDir)).toBeDefined()
    await serverProcess.exit()
    await vi.waitFor(() => expect(postmasterOf(dataDir)).toBeUndefined(), { timeout: 60_000 })
  })
})

function unfinishedCluster(dataDir: string) {
  const folder = readdirSync(dataDir).find((name) => name.startsWith('database.unfinished-'))
  return folder ? readdirSync(join(dataDir, folder)) : []
}
