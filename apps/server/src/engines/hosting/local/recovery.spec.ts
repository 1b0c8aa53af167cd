import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  open,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceAccount } from '../../../service-account.ts'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { createHostingWorld, startHostingWorld } from '../../../testing/hosting-world.ts'
import { isAlive, processesOf } from '../../../testing/processes.ts'
import { pollOptions } from '../../../testing/until.ts'
import { createLayout, sitesOnDisk } from './files/layout.ts'
import {
  applyAndKill,
  createProbeSite,
  instance,
  spawnEngine,
} from './fixtures/local-engine.fixture.ts'
import { readProcessRecord } from './process/process-record.ts'

const isRoot = process.getuid?.() === 0

describe('local engine: start', () => {
  it('adopts the process of a killed engine', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndKill(dataDir, instance('orphan'))

    const world = await startHostingWorld({ dataDir })
    await world.applyUntilHealthy(instance('orphan', { name: 'New name' }))

    await expect(world.pid('orphan')).resolves.toBe(pid)
    await expect(world.engine.list()).resolves.toEqual([
      {
        key: 'orphan',
        applied: instance('orphan', { name: 'New name' }),
        running: true,
        asleep: false,
      },
    ])
  })

  it.runIf(isRoot)(
    'lets a gateway without root reach a site from an earlier version, and read its files',
    async () => {
      const dataDir = await createDataFolder()
      const before = await startHostingWorld({ dataDir })
      await before.applyUntilHealthy(instance('orphan'))
      await before.engine.close({ stopSites: false })
      const { data, socket, socketFolder } = createLayout(dataDir).site('orphan')
      const [upload, outside] = [join(data, 'folder/upload'), join(dataDir, 'outside')]
      await mkdir(join(data, 'folder'))
      for (const path of [upload, outside]) await writeFile(path, '', { mode: 0o600 })
      await symlink(outside, join(data, 'link'))
      const { uid } = await stat(data)
      for (const path of [join(data, 'folder'), upload]) await chown(path, uid, uid)
      for (const path of [join(data, 'folder'), data]) await chmod(path, 0o700)
      const socketPath = join(socketFolder, await readlink(socket))
      await chown(socketPath, 0, 0)
      await chmod(socketPath, 0o600)

      const world = await startHostingWorld({ dataDir })
      await expect.poll(() => world.engine.count().running, pollOptions).toBe(1)

      const rights = async (path: string) => {
        const { gid, mode } = await stat(path)
        return [gid, mode & 0o777]
      }
      const { gid: service } = serviceAccount(dataDir)
      expect(await rights(createLayout(dataDir).sockets)).toEqual([service, 0o711])
      expect(await rights(socketPath)).toEqual([service, 0o660])
      expect(await rights(data)).toEqual([uid, 0o750])
      expect(await rights(join(data, 'folder'))).toEqual([uid, 0o750])
      expect(await rights(upload)).toEqual([uid, 0o640])
      expect(await rights(outside)).toEqual([0, 0o600])
    },
  )

  it('a call for a site waits for its recovery, so that no site runs twice', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndKill(dataDir, instance('orphan'))
    const world = await createHostingWorld({ dataDir })

    const started = world.start()
    await expect(world.engine.apply(instance('orphan'), { mayCreate: true })).rejects.toThrow(
      'has not started',
    )
    await started
    await world.applyUntilHealthy(instance('orphan'))
    await expect(world.pid('orphan')).resolves.toBe(pid)
    await expect(processesOf(createLayout(dataDir).sites)).resolves.toEqual([pid])
  })

  it('lists a site that waits for its recovery as running', async () => {
    const dataDir = await createDataFolder()
    const before = await startHostingWorld({ dataDir })
    await before.applyUntilHealthy(instance('resting'))
    await before.engine.close({ stopSites: true })

    const world = await startHostingWorld({ dataDir })
    await expect(world.engine.list()).resolves.toEqual([
      { key: 'resting', applied: instance('resting'), running: true, asleep: false },
    ])
  })

  it('waits for the end of another server on the data folder, and then adopts its sites', async () => {
    const dataDir = await createDataFolder()
    const otherEngine = spawnEngine(dataDir, [instance('shared')])
    await otherEngine.waitFor('applied')
    const world = await createHostingWorld({ dataDir })
    const started = world.start()
    const messages = () => world.lines.map(({ message }) => message)
    await expect
      .poll(messages, pollOptions)
      .toContain('Another server runs the sites here: waiting for its end')
    // Ready to take over: a rolling deployment ends the other server once this one is ready.
    await expect(world.engine.check()).resolves.toBeUndefined()
    await expect(world.engine.apply(instance('shared'), { mayCreate: true })).rejects.toThrow(
      'has not started',
    )

    await otherEngine.kill()
    await started
    await world.applyUntilHealthy(instance('shared'))

    expect(messages()).not.toContain('A site started')
    await expect(processesOf(createLayout(dataDir).sites)).resolves.toEqual([
      await world.pid('shared'),
    ])
  })

  it('a site whose recovery hangs delays neither the start nor the other sites', async () => {
    const dataDir = await createDataFolder()
    const layout = createLayout(dataDir)
    const before = await startHostingWorld({ dataDir })
    await Promise.all(['one', 'two'].map((key) => before.applyUntilHealthy(instance(key))))
    await before.engine.close()
    const [first = '', second = ''] = await sitesOnDisk(layout)
    const record = layout.site(first).process
    const text = await readFile(record, 'utf8')
    // Reading it waits for a writer.
    await rm(record)
    execFileSync('mkfifo', [record])
    const world = await createHostingWorld({ dataDir })
    try {
      await world.start()
      await world.applyUntilHealthy(instance(second))
    } finally {
      const pipe = await open(record, 'w')
      await rm(record)
      await writeFile(record, text)
      await pipe.writeFile(text)
      await pipe.close()
    }
    await world.applyUntilHealthy(instance(first))
    await expect(world.pid(first)).resolves.toBe(JSON.parse(text).pid)
  })

  it('stops waiting for another server when the signal aborts, and leaves its sites', async () => {
    const dataDir = await createDataFolder()
    const before = await startHostingWorld({ dataDir })
    await before.applyUntilHealthy(instance('shared'))
    const world = await createHostingWorld({ dataDir })
    const stopping = new AbortController()
    const started = world.engine.start(stopping.signal)
    stopping.abort()
    await expect(started).rejects.toThrow('aborted')
    await world.engine.close({ stopSites: true })
    await expect(before.pid('shared')).resolves.toBeGreaterThan(1)
  })

  it('restarts an adopted process that dies', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndKill(dataDir, instance('orphan'))
    const world = await startHostingWorld({ dataDir })
    await world.applyUntilHealthy(instance('orphan'))

    process.kill(pid, 'SIGKILL')

    await expect.poll(() => world.pid('orphan').catch(() => pid), pollOptions).not.toBe(pid)
  })

  it('each site has one recorded process however often the engine was killed', async () => {
    const dataDir = await createDataFolder()
    const instances = ['a', 'b', 'c', 'd', 'e'].map((key) => instance(key))
    // The delay varies so that each round is killed at another point.
    for (const cutAfterMs of [0, 2, 4, 6, 8, 10, 15, 20, 30, 60]) {
      const engine = spawnEngine(dataDir, instances)
      await engine.waitFor('started')
      await delay(cutAfterMs)
      await engine.kill()
    }

    const world = await startHostingWorld({ dataDir })
    await Promise.all(instances.map(world.applyUntilHealthy))
    const pids = await Promise.all(instances.map(({ key }) => world.pid(key)))
    const running = () => processesOf(createLayout(dataDir).sites)
    await expect.poll(running, pollOptions).toHaveLength(instances.length)
    expect((await running()).sort()).toEqual(pids.sort())
  })

  it('adopts the sites of a closed engine', async () => {
    const dataDir = await createDataFolder()
    const before = await startHostingWorld({ dataDir })
    await before.applyUntilHealthy(instance('lasting'))
    const pid = await before.pid('lasting')
    await before.engine.close()
    await expect(before.pid('lasting')).resolves.toBe(pid)

    const world = await startHostingWorld({ dataDir })
    await world.applyUntilHealthy(instance('lasting'))
    await expect(world.pid('lasting')).resolves.toBe(pid)
  })

  it('starts the sites of an engine that stopped them', async () => {
    const dataDir = await createDataFolder()
    const before = await startHostingWorld({ dataDir })
    await before.applyUntilHealthy(instance('resting'))
    await before.engine.close({ stopSites: true })

    const world = await startHostingWorld({ dataDir })
    world.routes.set('resting.localhost', { key: 'resting', cluster: 'local', state: 'ready' })
    await expect.poll(() => world.engine.isHealthy(instance('resting')), pollOptions).toBe(true)
  })

  it('a process with a reused id is neither adopted nor stopped', async () => {
    const dataDir = await createDataFolder()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
    onTestFinished(() => void stranger.kill('SIGKILL'))
    await once(stranger, 'spawn')
    const pid = stranger.pid ?? 0
    await applyAndKill(dataDir, instance('reused')).then((old) => process.kill(old, 'SIGKILL'))
    const files = createLayout(dataDir).site('reused')
    const record = await readProcessRecord(files.process)
    await writeFile(files.process, JSON.stringify({ ...record, pid }))

    const world = await startHostingWorld({ dataDir })
    await world.applyUntilHealthy(instance('reused'))

    await expect(world.pid('reused')).resolves.not.toBe(pid)
    await world.engine.remove('reused')
    await expect(isAlive(pid)).resolves.toBe(true)
  })

  it.each(['', '{', '[]', '{"pid":1,"startTime":"x","version":"1","launch":"x"}', '{"pid":-1}'])(
    'starts the site when the record of its process is %j',
    async (text) => {
      const dataDir = await createDataFolder()
      const before = await startHostingWorld({ dataDir })
      await before.applyUntilHealthy(instance('damaged'))
      await before.engine.close({ stopSites: true })
      await writeFile(createLayout(dataDir).site('damaged').process, text)

      const world = await startHostingWorld({ dataDir })
      await world.applyUntilHealthy(instance('damaged'))

      await expect(world.pid('damaged')).resolves.toBeGreaterThan(1)
    },
  )

  it('the leftovers of a killed removal are listed and not started', async () => {
    const dataDir = await createDataFolder()
    await mkdir(createLayout(dataDir).site('half').data, { recursive: true })
    const world = await startHostingWorld({ dataDir })

    await expect(world.engine.list()).resolves.toEqual([
      { key: 'half', applied: null, running: false, asleep: false },
    ])
    await world.engine.remove('half')
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it("rejects a data folder that the sites' users cannot enter", async () => {
    const root = await createDataFolder()
    await chmod(root, 0o700)
    const world = await createHostingWorld({ dataDir: join(root, 'data') })
    const started = world.start()
    if (isRoot) await expect(started).rejects.toThrow(`cannot enter ${root}`)
    else await expect(started).resolves.toBeUndefined()
  })

  it('apply restarts a site of an older release', async () => {
    const dataDir = await createDataFolder()
    const old = await applyAndKill(dataDir, instance('upgraded'))
    const world = await startHostingWorld({ dataDir, siteSource: await createProbeSite() })

    await world.applyUntilHealthy(instance('upgraded'))

    // The old process finishes its last requests first.
    await expect.poll(() => isAlive(old), pollOptions).toBe(false)
    await expect(world.engine.metadata(instance('upgraded'))).resolves.toContainEqual({
      key: 'cms_version',
      value: 'Slipway Site 9.9.9',
    })
  })

  it('an adopted process can be removed', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndKill(dataDir, instance('orphan'))
    const world = await startHostingWorld({ dataDir })
    await world.engine.remove('orphan')
    await expect(isAlive(pid)).resolves.toBe(false)
  })
})
