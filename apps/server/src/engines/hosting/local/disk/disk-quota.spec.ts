import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../testing/debian-package.ts'
import { deepFolderCode } from '../../../../testing/deep-folder.ts'
import { startHostingWorld } from '../../../../testing/hosting-world.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { pollOptions } from '../../../../testing/until.ts'
import { DiskFullError } from '../../engine.ts'
import { measureFolder } from '../files/folder-size.ts'
import { createLayout, type Layout } from '../files/layout.ts'
import { instance } from '../fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from '../runtimes/node/node-site.fixture.ts'
import { createDiskQuota, type SiteProcesses } from './disk-quota.ts'

const canRun =
  process.platform === 'linux' &&
  (await hasDebianPackage('bwrap', 'bubblewrap')) &&
  process.getuid?.() === 0

const megabyte = 2 ** 20

/**
 * Writes a megabyte, also to a file that it deletes and keeps open, makes deep folders or an empty
 * file, or deletes all, by the path of the request.
 */
const action = `(() => {
  const fs = require('fs')
  const file = '/data/all/' + Math.random()
  fs.mkdirSync('/data/all', { recursive: true })
  if (request.url === '/write') fs.writeFileSync(file, Buffer.alloc(${megabyte}, 'x'))
  if (request.url === '/hide') {
    const descriptor = fs.openSync(file, 'w')
    fs.rmSync(file)
    fs.writeSync(descriptor, Buffer.alloc(${megabyte}, 'x'))
  }
  if (request.url === '/deep') { process.chdir('/data/all'); ${deepFolderCode} }
  if (request.url === '/touch') fs.writeFileSync(file, '')
  if (request.url === '/delete') fs.rmSync('/data/all', { recursive: true })
  return fs.existsSync('/data/all') ? fs.readdirSync('/data/all').length : 'empty'
})()`

describe('the measurement of the disks', () => {
  const siteKey = 'full'

  /** A process whose program does nothing; `isKilled` once the quota has killed it. */
  function fakeProcess(launch: string) {
    const { promise: exited, resolve } = Promise.withResolvers<unknown>()
    const process = {
      record: { launch },
      group: null,
      exited,
      isKilled: false,
      kill: async () => {
        process.isKilled = true
        resolve(null)
      },
    }
    return process
  }
  type Fake = ReturnType<typeof fakeProcess>
  type Processes = { serving: Fake | null; checked: Fake | null }
  const none: Processes = { serving: null, checked: null }

  /**
   * The quota of a server that measures a site this many times, and counts its stops of it.
   * `processes` gives the site's processes each time the quota looks for them.
   */
  function createQuota(layout: Layout, times = 1, processes: () => Processes = () => none) {
    const { log, lines } = createLogBook()
    const closing = new AbortController()
    let measurements = 0
    let stops = 0
    const disks = createDiskQuota({
      layout,
      limits: { bytes: megabyte, entries: 3, intervalMs: 1 },
      running: () => {
        measurements += 1
        if (measurements > times) closing.abort()
        return new Map([[siteKey, processes() as unknown as SiteProcesses]])
      },
      stop: async () => {
        stops += 1
      },
      closing: closing.signal,
      log,
    })
    const countStops = async () => {
      await disks.watch()
      return stops
    }
    return { disks, lines, countStops }
  }

  /** A site whose data folder has these files. */
  async function createSite(...names: string[]) {
    const layout = createLayout(await createDataFolder())
    const { data } = layout.site(siteKey)
    const add = async (...added: string[]) => {
      for (const name of added) await writeFile(join(data, name), '')
    }
    await mkdir(data, { recursive: true })
    await add(...names)
    return { layout, add, remove: (name: string) => rm(join(data, name)) }
  }

  it('logs no error for a site that is deleted while it is measured', async () => {
    const { countStops, lines } = createQuota(createLayout(await createDataFolder()))
    expect(await countStops()).toBe(0)
    expect(lines).toEqual([])
  })

  it('lets a restarted site with a full disk run until it grows, also in the next server', async () => {
    const { layout, add } = await createSite('1', '2', '3', '4')
    expect(await createQuota(layout).countStops()).toBe(1)
    await createQuota(layout).disks.allow(siteKey)

    expect(await createQuota(layout, 2).countStops()).toBe(0)
    await add('5')
    expect(await createQuota(layout).countStops()).toBe(1)
  })

  it('stops only a process that is checked, until the site has twice its limit', async () => {
    const { layout, add } = await createSite('1', '2', '3', '4')
    const serving = fakeProcess('serving')
    const first = fakeProcess('first')
    expect(await createQuota(layout, 2, () => ({ serving, checked: first })).countStops()).toBe(0)
    expect([serving.isKilled, first.isKilled]).toEqual([false, true])
    await add('5', '6', '7')
    const second = fakeProcess('second')
    const quota = createQuota(layout, 2, () => ({ serving, checked: second }))
    expect(await quota.countStops()).toBe(1)
    expect([serving.isKilled, second.isKilled]).toEqual([true, true])
    expect(await quota.disks.stoppedLaunchId(siteKey)).toBe('serving')
  })

  it('kills no process that serves since the measurement began', async () => {
    const { layout } = await createSite('1', '2', '3', '4')
    const process = fakeProcess('new')
    let isChecked = true
    const processes = () => {
      const now = isChecked
        ? { serving: null, checked: process }
        : { serving: process, checked: null }
      isChecked = false
      return now
    }
    expect(await createQuota(layout, 2, processes).countStops()).toBe(0)
    expect(process.isKilled).toBe(false)
  })

  it('keeps a site running whose checked process has ended during the measurement', async () => {
    const { layout } = await createSite('1', '2', '3', '4')
    const serving = fakeProcess('serving')
    const checked = fakeProcess('new')
    let isFirst = true
    const processes = () => {
      const current = { serving, checked: isFirst ? checked : null }
      isFirst = false
      return current
    }
    expect(await createQuota(layout, 3, processes).countStops()).toBe(0)
    expect(serving.isKilled).toBe(false)
  })

  it('lets a checked process of a stopped site delete files, but not add one', async () => {
    const { layout, add } = await createSite('1', '2', '3', '4')
    await writeFile(layout.site(siteKey).diskFull, 'stopped')
    await createQuota(layout).disks.allowAttempt(siteKey)
    const checked = fakeProcess('new')
    const quota = () => createQuota(layout, 2, () => ({ serving: null, checked }))
    await quota().countStops()
    expect(checked.isKilled).toBe(false)
    await add('5')
    await quota().countStops()
    expect(checked.isKilled).toBe(true)
    expect(await quota().disks.stoppedLaunchId(siteKey)).toBe('stopped')
  })

  it('keeps a site stopped when a process that is checked fills its disk, too', async () => {
    const { layout } = await createSite('1', '2', '3', '4')
    await writeFile(layout.site(siteKey).diskFull, 'stopped')
    const checked = fakeProcess('new')
    const quota = createQuota(layout, 2, () => ({ serving: null, checked }))
    await quota.countStops()
    expect(checked.isKilled).toBe(true)
    expect(await quota.disks.stoppedLaunchId(siteKey)).toBe('stopped')
  })

  it('continues while a full site waits to be stopped', async () => {
    const { layout } = await createSite('1', '2', '3', '4')
    const other = layout.site('other').data
    await mkdir(other, { recursive: true })
    for (const name of ['1', '2', '3', '4']) await writeFile(join(other, name), '')
    const closing = new AbortController()
    const stopped: string[] = []
    const disks = createDiskQuota({
      layout,
      limits: { bytes: megabyte, entries: 3, intervalMs: 1 },
      running: () =>
        new Map([siteKey, 'other'].map((key) => [key, { serving: null, checked: null }])),
      stop: (key) => {
        stopped.push(key)
        if (key === 'other') closing.abort()
        return new Promise(() => undefined)
      },
      closing: closing.signal,
      log: createLogBook().log,
    })
    await disks.watch()
    expect(stopped).toEqual([siteKey, 'other'])
  })

  it('needs no request of the server to the file system for each file', async () => {
    const { layout } = await createSite(...Array.from({ length: 500 }, (_, index) => `${index}`))
    let isRunning = true
    let most = 0
    const measured = measureFolder(layout.site(siteKey).data, 1_000).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      const resources = process.getActiveResourcesInfo()
      most = Math.max(most, resources.filter((name) => name.startsWith('FSReq')).length)
      await setImmediate()
    }
    expect((await measured).entries).toBe(500)
    expect(most).toBe(0)
  })

  it('counts files and folders whose names are not UTF-8', async () => {
    const { layout } = await createSite()
    const { data } = layout.site(siteKey)
    const inData = (name: string) =>
      Buffer.concat([Buffer.from(`${data}/`), Buffer.from(name, 'latin1')])
    await mkdir(inData('\xff'))
    await writeFile(inData('\xfe'), Buffer.alloc(megabyte, 'x'))
    await writeFile(inData('\xff/\xfe'), Buffer.alloc(megabyte, 'x'))
    const { bytes, entries } = await measureFolder(data, 1_000)
    expect(entries).toBe(3)
    expect(bytes).toBeGreaterThanOrEqual(2 * megabyte)
  })

  it('holds a restarted site to its limit once it has deleted enough', async () => {
    const { layout, add, remove } = await createSite('1', '2', '3', '4', '5')
    await createQuota(layout).disks.allow(siteKey)
    await remove('1')
    await remove('2')
    expect(await createQuota(layout).countStops()).toBe(0)
    await add('1')
    expect(await createQuota(layout).countStops()).toBe(1)
  })
})

describe.skipIf(!canRun)('a site that fills its disk', () => {
  async function startSite(disk: { bytes?: number; entries?: number }) {
    const world = await startHostingWorld({ disk: { intervalMs: 20, ...disk } })
    const artifact = await artifactOf(world, {
      'package.json': '{"main":"app.js"}',
      'app.js': serverOf(action),
    })
    const site = instance('full', { runtime: 'node', artifact })
    await world.applyUntilHealthy(site)
    const body = async (path: string) => (await world.visit('full', path)).body
    const isRunning = async () => (await world.engine.list(['full']))[0]?.running
    const apply = (restarts: number) =>
      world.engine.apply({ ...site, restarts }, { mayCreate: false })
    return { world, site, body, isRunning, apply }
  }

  it('is stopped with all its small files, and stays so until it is restarted', async () => {
    const { world, site, body, isRunning, apply } = await startSite({ bytes: 4.5 * megabyte })
    for (let file = 0; file < 3; file++) await body('/write')
    expect(await body('/')).toBe('3')
    for (let file = 0; file < 2; file++) await body('/write')
    await expect.poll(isRunning, pollOptions).toBe(false)
    const { data } = createLayout(world.dataDir).site('full')
    expect((await measureFolder(data, 1_000)).bytes).toBeLessThan(6 * megabyte)
    await expect(apply(0)).rejects.toThrow(DiskFullError)
    expect(await isRunning()).toBe(false)
    // A release runs beside nothing, and may delete files.
    expect(await world.engine.stage({ ...site, environment: { A: '1' } })).toBeNull()
    await world.engine.unstage('full')
    expect(await isRunning()).toBe(false)

    await apply(1)
    await expect.poll(() => body('/'), pollOptions).toBe('5')
    await expect.poll(() => body('/delete'), pollOptions).toBe('empty')
    expect(await body('/write')).toBe('1')
  })

  it('is stopped for files that it has deleted and keeps open, which its restart frees', async () => {
    const { body, isRunning, apply } = await startSite({ bytes: 4.5 * megabyte })
    for (let file = 0; file < 3; file++) await body('/hide')
    expect(await body('/')).toBe('0')
    for (let file = 0; file < 2; file++) await body('/hide')
    await expect.poll(isRunning, pollOptions).toBe(false)
    await apply(1)
    await expect.poll(() => body('/'), pollOptions).toBe('0')
  })

  it('is stopped for folders deeper than a path may be long, and can be deleted', async () => {
    const { world, body, isRunning } = await startSite({})
    // It may be stopped before it responds.
    await body('/deep')
    await expect.poll(isRunning, pollOptions).toBe(false)
    await world.engine.remove('full')
    expect(existsSync(createLayout(world.dataDir).site('full').folder)).toBe(false)
  })

  it('may run after a restart, but not grow', async () => {
    const { body, isRunning, apply } = await startSite({ bytes: 4.5 * megabyte })
    for (let file = 0; file < 5; file++) await body('/write')
    await expect.poll(isRunning, pollOptions).toBe(false)
    await apply(1)
    await expect.poll(() => body('/'), pollOptions).toBe('5')
    await body('/write')
    await expect.poll(isRunning, pollOptions).toBe(false)
  })

  it('may delete files after a restart when it has too many, but not add one', async () => {
    const { body, isRunning, apply } = await startSite({ entries: 10 })
    for (let file = 0; file < 10; file++) await body('/touch')
    await expect.poll(isRunning, pollOptions).toBe(false)
    await apply(1)
    await expect.poll(() => body('/'), pollOptions).toBe('10')
    await body('/touch')
    await expect.poll(isRunning, pollOptions).toBe(false)

    await apply(2)
    await expect.poll(() => body('/delete'), pollOptions).toBe('empty')
    expect(await body('/touch')).toBe('1')
  })

  it('is stopped for too many empty files, also by the next server', async () => {
    const { world, site, body, isRunning } = await startSite({ entries: 10 })
    for (let file = 0; file < 10; file++) await body('/touch')
    await expect.poll(isRunning, pollOptions).toBe(false)
    await world.engine.close()
    const next = await startHostingWorld({ dataDir: world.dataDir })
    await expect(next.engine.apply(site, { mayCreate: false })).rejects.toThrow(DiskFullError)
  })
})
