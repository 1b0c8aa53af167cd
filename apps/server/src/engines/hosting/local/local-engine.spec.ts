import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Instance } from '../engine.ts'
import { createLayout } from './layout.ts'
import {
  contentOf,
  createDataFolder,
  createWorld,
  instance,
  isAlive,
  probeSite,
  processesOf,
  startWorld,
} from './local-engine.testbed.ts'
import { readProcessRecord } from './process-record.ts'

const isRoot = process.getuid?.() === 0
const patient = { timeout: 10_000, interval: 10 }

const exists = async (path: string) => (await stat(path).catch(() => null)) !== null

/** Starts an engine in another process; the output tells when it has started, and when it has applied. */
const spawnEngine = (dataDir: string, instances: readonly Instance[]) => {
  const script = fileURLToPath(new URL('fixtures/engine-process.ts', import.meta.url))
  const engine = spawn(process.execPath, [script, dataDir, JSON.stringify(instances)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void engine.kill('SIGKILL'))
  const saysSo = async (word: string) => {
    let output = ''
    while (!output.includes(word)) output += (await once(engine.stdout, 'data'))[0]
  }
  const vanish = async () => {
    engine.kill('SIGKILL')
    await once(engine, 'exit')
  }
  return { saysSo, vanish }
}

/** Applies an instance with an engine in another process, and kills that engine without a word. */
const applyAndVanish = async (dataDir: string, wanted: Instance): Promise<number> => {
  const engine = spawnEngine(dataDir, [wanted])
  await engine.saysSo('applied')
  await engine.vanish()
  const record = await readProcessRecord(createLayout(dataDir).site(wanted.key).process)
  if (!record) throw new Error('The vanished engine has written nothing down')
  return record.pid
}

describe('apply', () => {
  it('starts one process when it is called twice at once', async () => {
    const world = await startWorld()
    await Promise.all([world.up(instance('twice')), world.up(instance('twice'))])

    const { folder } = createLayout(world.dataDir).site('twice')
    await expect(processesOf(folder)).resolves.toEqual([await world.pid('twice')])
  })

  it('shows a new name without a restart', async () => {
    const world = await startWorld()
    await world.up(instance('renamed', { name: 'Before' }))
    const pid = await world.pid('renamed')

    await world.engine.apply(instance('renamed', { name: 'After <b>' }))

    const page = await world.visit('renamed', '/')
    expect(page.body).toContain('After &lt;b&gt;')
    expect(page.body).not.toContain('Before')
    await expect(world.pid('renamed')).resolves.toBe(pid)
  })

  it.each(['', '.', '..', '../other', 'a/b', 'UPPER', '-a', 'a-', 'a'.repeat(64), 'a\0b'])(
    'refuses %j, which is no key, before it touches a file',
    async (key) => {
      const world = await startWorld()
      await expect(world.engine.apply(instance(key))).rejects.toThrow('Not a project key')
      await expect(world.engine.list()).resolves.toEqual([])
    },
  )

  it('keeps the socket path short enough in a data folder with a long path', async () => {
    const root = await createDataFolder()
    const world = await startWorld({ dataDir: join(root, 'long'.repeat(30)) })
    const key = 'k'.repeat(63)
    await world.up(instance(key))
    await world.engine.remove(key)
  })

  it('restarts a site whose program or limits are not the current ones', async () => {
    const dataDir = await createDataFolder()
    const old = await applyAndVanish(dataDir, instance('upgraded'))
    const world = await startWorld({ dataDir, siteSource: probeSite })

    await world.up(instance('upgraded'))

    await expect(isAlive(old)).resolves.toBe(false)
    await expect(world.engine.metadata(instance('upgraded'))).resolves.toContainEqual({
      key: 'cms_version',
      value: 'Slipway Site 9.9.9',
    })
  })
})

describe('supervision', () => {
  it('starts a killed site again and its content is kept', async () => {
    const world = await startWorld()
    await world.up(instance('killed'))
    const [pid, content] = [await world.pid('killed'), await contentOf(world.dataDir, 'killed')]

    process.kill(pid, 'SIGKILL')

    await expect.poll(() => world.pid('killed').catch(() => pid), patient).not.toBe(pid)
    await expect(contentOf(world.dataDir, 'killed')).resolves.toBe(content)
    expect(world.lines).toContainEqual(
      expect.objectContaining({ message: 'A site died', key: 'killed', pid, signal: 'SIGKILL' }),
    )
  })

  it('waits twice as long before each restart of a site that keeps dying, up to the longest', async () => {
    const backoff = { initialMs: 1, maxMs: 4, resetAfterMs: 60_000 }
    const world = await startWorld({ siteSource: probeSite, backoff })
    await world.engine.apply(instance('loop', { name: 'Ends at once' }))

    const deaths = () => world.lines.filter((line) => line.message === 'A site died')
    await expect.poll(() => deaths().length, patient).toBeGreaterThan(4)
    expect(deaths().slice(0, 4)).toMatchObject([
      { waitMs: 1, restarts: 1, code: 7 },
      { waitMs: 2, restarts: 2 },
      { waitMs: 4, restarts: 3 },
      { waitMs: 4, restarts: 4 },
    ])
  })

  it('does not start a site that keeps dying any sooner when it is applied again', async () => {
    const backoff = { initialMs: 3_600_000, maxMs: 3_600_000, resetAfterMs: 60_000 }
    const world = await startWorld({ siteSource: probeSite, backoff })
    const messages = () => world.lines.map((line) => line.message)
    await world.engine.apply(instance('loop', { name: 'Ends at once' }))
    await expect.poll(messages, patient).toContain('A site died')

    await world.engine.apply(instance('loop', { name: 'Ends at once' }))
    expect(messages()).toEqual(['A site started', 'A site died'])
  })
})

describe('start', () => {
  it('takes on the process of an engine that was killed', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndVanish(dataDir, instance('orphan'))

    const world = await startWorld({ dataDir })
    await world.up(instance('orphan', { name: 'New name' }))

    await expect(world.pid('orphan')).resolves.toBe(pid)
    await expect(world.engine.list()).resolves.toEqual([
      { key: 'orphan', applied: instance('orphan', { name: 'New name' }), running: true },
    ])
  })

  it('restarts a process it took on when that dies', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndVanish(dataDir, instance('orphan'))
    const world = await startWorld({ dataDir })
    await world.up(instance('orphan'))

    process.kill(pid, 'SIGKILL')

    await expect.poll(() => world.pid('orphan').catch(() => pid), patient).not.toBe(pid)
  })

  it('leaves one process per site, and none unknown, however often the engine was killed at work', async () => {
    const dataDir = await createDataFolder()
    const instances = ['a', 'b', 'c', 'd', 'e'].map((key) => instance(key))
    // Not a wait to be right: each round is cut off at another point of the work, and any is fine.
    for (const cutAfterMs of [0, 2, 4, 6, 8, 10, 15, 20, 30, 60]) {
      const engine = spawnEngine(dataDir, instances)
      await engine.saysSo('started')
      await delay(cutAfterMs)
      await engine.vanish()
    }

    const world = await startWorld({ dataDir })
    await Promise.all(instances.map(world.up))
    const known = await Promise.all(instances.map(({ key }) => world.pid(key)))
    const running = () => processesOf(createLayout(dataDir).sites)
    await expect.poll(running, patient).toHaveLength(instances.length)
    expect((await running()).sort()).toEqual(known.sort())
  })

  it('starts the sites of an engine that was closed', async () => {
    const dataDir = await createDataFolder()
    const before = await startWorld({ dataDir })
    await before.up(instance('resting'))
    await before.engine.close()

    const world = await startWorld({ dataDir })
    world.routes.set('resting.localhost', { key: 'resting', state: 'ready' })
    await expect.poll(() => world.engine.answers(instance('resting')), patient).toBe(true)
  })

  it('neither ends nor takes on another process that was given the recorded id', async () => {
    const dataDir = await createDataFolder()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
    onTestFinished(() => void stranger.kill('SIGKILL'))
    await once(stranger, 'spawn')
    const pid = stranger.pid ?? 0
    await applyAndVanish(dataDir, instance('reused')).then((old) => process.kill(old, 'SIGKILL'))
    const files = createLayout(dataDir).site('reused')
    const record = await readProcessRecord(files.process)
    await writeFile(files.process, JSON.stringify({ ...record, pid }))

    const world = await startWorld({ dataDir })
    await world.up(instance('reused'))

    await expect(world.pid('reused')).resolves.not.toBe(pid)
    await world.engine.remove('reused')
    await expect(isAlive(pid)).resolves.toBe(true)
  })

  it.each(['', '{', '[]', '{"pid":1,"startTime":"x","version":"1","launch":"x"}', '{"pid":-1}'])(
    'starts the site when what is written down of its process is %j',
    async (text) => {
      const dataDir = await createDataFolder()
      const before = await startWorld({ dataDir })
      await before.up(instance('damaged'))
      await before.engine.close()
      await writeFile(createLayout(dataDir).site('damaged').process, text)

      const world = await startWorld({ dataDir })
      await world.up(instance('damaged'))
    },
  )

  it('lists the remains of a removal that was killed, and does not start them', async () => {
    const dataDir = await createDataFolder()
    await mkdir(createLayout(dataDir).site('half').data, { recursive: true })
    const world = await startWorld({ dataDir })

    await expect(world.engine.list()).resolves.toEqual([
      { key: 'half', applied: null, running: false },
    ])
    await world.engine.remove('half')
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it('needs a data folder that the sites can enter when they have users of their own', async () => {
    const root = await createDataFolder()
    await chmod(root, 0o700)
    const world = await createWorld({ dataDir: join(root, 'data') })
    const started = world.start()
    if (isRoot) await expect(started).rejects.toThrow(`cannot enter ${root}`)
    else await expect(started).resolves.toBeUndefined()
  })
})

describe('remove', () => {
  it('ends the site and deletes all of it', async () => {
    const world = await startWorld()
    await world.up(instance('gone'))
    const pid = await world.pid('gone')

    await world.engine.remove('gone')

    await expect(isAlive(pid)).resolves.toBe(false)
    const { folder, socketFolder } = createLayout(world.dataDir).site('gone')
    await expect(Promise.all([exists(folder), exists(socketFolder)])).resolves.toEqual([
      false,
      false,
    ])
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it('may be called again, and for a key that never was', async () => {
    const world = await startWorld()
    await world.up(instance('gone'))
    await Promise.all([world.engine.remove('gone'), world.engine.remove('gone')])
    await world.engine.remove('never')
    await world.engine.remove('../never')
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it('waits for an apply under way, and leaves nothing of it', async () => {
    const world = await startWorld()
    await Promise.all([world.engine.apply(instance('brief')), world.engine.remove('brief')])

    const { folder } = createLayout(world.dataDir).site('brief')
    await expect(processesOf(folder)).resolves.toEqual([])
    await expect(exists(folder)).resolves.toBe(false)
  })

  it('ends a process that an earlier engine left', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndVanish(dataDir, instance('orphan'))
    const world = await startWorld({ dataDir })
    await world.engine.remove('orphan')
    await expect(isAlive(pid)).resolves.toBe(false)
  })
})

describe('answers', () => {
  it('needs every host to lead to the site', async () => {
    const world = await startWorld()
    const both = instance('hosts', { hosts: ['hosts.localhost', 'www.example.test'] })
    await world.up(both)

    world.routes.delete('www.example.test')
    await expect(world.engine.answers(both)).resolves.toBe(false)
  })

  it('is false when a host leads to another site', async () => {
    const world = await startWorld()
    await world.up(instance('mine'))
    await world.up(instance('other'))
    world.routes.set('mine.localhost', { key: 'other', state: 'ready' })
    await expect(world.engine.answers(instance('mine'))).resolves.toBe(false)
  })
})

describe('check', () => {
  it('passes when sites can be made and reached', async () => {
    const world = await startWorld()
    await expect(world.engine.check()).resolves.toBeUndefined()
  })

  it('rejects when the gateway does not listen', async () => {
    const world = await startWorld({ gateway: { host: '127.0.0.1', port: 1 } })
    await expect(world.engine.check()).rejects.toThrow('ECONNREFUSED')
  })
})

describe('close', () => {
  it('ends every site and accepts no more', async () => {
    const world = await startWorld()
    await Promise.all(['one', 'two', 'three'].map((key) => world.up(instance(key))))
    await world.engine.close()

    await expect(processesOf(createLayout(world.dataDir).sites)).resolves.toEqual([])
    await expect(world.engine.apply(instance('four'))).rejects.toThrow('closed')
  })
})
