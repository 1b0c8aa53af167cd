import { chown, lstat, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../testing/debian-package.ts'
import { type HostingWorld, startHostingWorld } from '../../../testing/hosting-world.ts'
import { processesOf, readCommandLines } from '../../../testing/processes.ts'
import { until } from '../../../testing/until.ts'
import { digestOfArchive } from '../content/content-archive.ts'
import { treeOf } from '../content/content-tree.fixture.ts'
import { ContentTooLargeError, MissingDataError } from '../engine.ts'
import { createLayout } from './files/layout.ts'
import { contentOf, instance } from './fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from './runtimes/node/node-site.fixture.ts'

const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const hasSandbox = isLinux && isRoot && (await hasDebianPackage('bwrap', 'bubblewrap'))
const never = new AbortController().signal
const site = instance('copied')
const stopped = { ...site, power: 'stopped' } as const

const filesOf = ({ dataDir }: HostingWorld) => createLayout(dataDir).site(site.key)

const createArchive = async () => ({
  file: join(await createDataFolder(), 'archives/site.content'),
  url: '',
})

/** Gives a file to the user of the site. */
async function give(world: HostingWorld, name: string) {
  const { data } = filesOf(world)
  const { uid, gid } = await lstat(data)
  if (isRoot) await chown(join(data, name), uid, gid)
  return join(data, name)
}

/** Starts a copy, and pauses it while it waits for a locked database. */
async function pauseCopy(world: HostingWorld, signal = never) {
  const { data } = filesOf(world)
  const database = new DatabaseSync(join(data, 'locked.db'))
  onTestFinished(() => database.close())
  database.exec('CREATE TABLE rows (n INTEGER)')
  await give(world, 'locked.db')
  database.exec('BEGIN EXCLUSIVE')

  const archive = await createArchive()
  const copying = world.engine.exportContent(site, archive, signal)
  const result = copying.then(
    () => 'copied',
    (error: Error) => error.message,
  )
  let pid = 0
  await until(async () => {
    const lines = await readCommandLines()
    pid = lines.find(([, command]) => command.includes(`\0snapshot\0${data}\0`))?.[0] ?? 0
    return pid > 0
  })
  process.kill(pid, 'SIGSTOP')
  return { archive, result, resume: () => process.kill(pid, 'SIGCONT') }
}

describe('the copy of a site that may run', () => {
  it.skipIf(!hasSandbox)('has what a Node app has written, whose process continues', async () => {
    const [world, target] = [await startHostingWorld(), await startHostingWorld()]
    const artifact = await artifactOf(world, {
      'package.json': '{"main":"app.js"}',
      'app.js': serverOf(
        "database.prepare('SELECT count(*) AS count FROM rows').get().count",
        `const { DatabaseSync } = require('node:sqlite')
         const database = new DatabaseSync('/data/site.db')
         database.exec('PRAGMA journal_mode = wal; CREATE TABLE rows (n INTEGER)')
         const insert = database.prepare('INSERT INTO rows VALUES (1)')
         setInterval(() => insert.run(), 1)`,
      ),
    })
    const app = instance('app', { runtime: 'node', artifact })
    await world.applyUntilHealthy(app)
    const pid = await world.pid('app')
    await until(async () => Number((await world.visit('app', '/')).body) > 10)
    const archive = await createArchive()
    await world.engine.exportContent(app, archive, never)
    expect(await world.pid('app')).toBe(pid)

    const digest = (await digestOfArchive(archive.file)) ?? ''
    await target.engine.importContent(app, { ...archive, digest }, never)
    const { data } = createLayout(target.dataDir).site('app')
    expect(Object.keys(await treeOf(data))).not.toContain('site.db-wal')
    const database = new DatabaseSync(join(data, 'site.db'))
    onTestFinished(() => database.close())
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(database.prepare('SELECT count(*) > 10 AS isFull FROM rows').get()).toEqual({
      isFull: 1,
    })
    expect(await readdir(createLayout(world.dataDir).site('app').folder)).not.toContain('copies')
  })

  it('leaves a site asleep', async () => {
    const world = await startHostingWorld({ sleepAfterMs: 1_000 })
    await world.applyUntilHealthy(site)
    const observed = async () => (await world.engine.list([site.key]))[0]
    await until(async () => (await observed())?.asleep)
    const content = await contentOf(world.dataDir, site.key)
    const archive = await createArchive()
    await world.engine.exportContent(site, archive, never)
    expect(await observed()).toMatchObject({ asleep: true })
    expect(await processesOf(filesOf(world).folder)).toEqual([])

    const target = await startHostingWorld()
    const digest = (await digestOfArchive(archive.file)) ?? ''
    await target.engine.importContent(site, { ...archive, digest }, never)
    expect(await contentOf(target.dataDir, site.key)).toBe(content)
  })

  it.skipIf(!isLinux)('continues while its site is restarted and stopped', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(site)
    const pid = await world.pid(site.key)
    const copy = await pauseCopy(world)
    await world.engine.apply({ ...site, restarts: 1 }, { mayCreate: false })
    expect(await world.pid(site.key)).not.toBe(pid)
    await world.engine.apply(stopped, { mayCreate: false })
    copy.resume()
    expect(await copy.result).toBe('copied')
    expect(await digestOfArchive(copy.archive.file)).not.toBeNull()
  })

  it.skipIf(!isLinux).each([
    ['is removed', ({ engine }: HostingWorld) => engine.remove(site.key)],
    [
      'is moved',
      async ({ engine }: HostingWorld) => {
        await engine.apply(stopped, { mayCreate: false })
        await engine.exportContent(stopped, await createArchive(), never)
      },
    ],
    [
      'is copied again',
      async ({ engine }: HostingWorld) => engine.exportContent(site, await createArchive(), never),
    ],
  ])('ends when its site %s', async (_name, change) => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(site)
    const copy = await pauseCopy(world)
    await change(world)
    expect(await copy.result).toBe('The copy of copied was ended for another change')
    expect(await readdir(join(copy.archive.file, '..'))).toEqual([])
    const { folder } = filesOf(world)
    expect(await readdir(folder).catch(() => [])).not.toContain('copies')
  })

  it.skipIf(!isLinux)('leaves nothing when it is aborted', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(site)
    const aborting = new AbortController()
    const copy = await pauseCopy(world, aborting.signal)
    aborting.abort(new Error('cancelled'))
    expect(await copy.result).toBe('cancelled')
    expect(await readdir(join(copy.archive.file, '..'))).toEqual([])
    expect(await readdir(filesOf(world).folder)).not.toContain('copies')
  })

  it('is rejected when the files are too large, or there are none', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(site)
    await writeFile(join(filesOf(world).data, 'sparse'), '')
    await truncate(await give(world, 'sparse'), 2 * 2 ** 30 + 1)
    const archive = await createArchive()
    await expect(world.engine.exportContent(site, archive, never)).rejects.toThrow(
      ContentTooLargeError,
    )
    await world.engine.remove(site.key)
    await expect(world.engine.exportContent(site, archive, never)).rejects.toThrow(MissingDataError)
    expect(await readdir(createLayout(world.dataDir).sites)).toEqual([])
  })
})
