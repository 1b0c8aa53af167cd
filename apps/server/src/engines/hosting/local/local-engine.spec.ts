import { chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../testing/debian-package.ts'
import { startHostingWorld } from '../../../testing/hosting-world.ts'
import { isAlive, processesOf } from '../../../testing/processes.ts'
import { pollOptions } from '../../../testing/until.ts'
import { CapacityError } from '../engine.ts'
import { createLayout } from './files/layout.ts'
import { instance } from './fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from './runtimes/node/node-site.fixture.ts'

const canRun =
  process.platform === 'linux' &&
  (await hasDebianPackage('bwrap', 'bubblewrap')) &&
  process.getuid?.() === 0

const exists = async (path: string) => (await stat(path).catch(() => null)) !== null

describe('local engine: apply', () => {
  it('two concurrent calls start one process', async () => {
    const world = await startHostingWorld()
    await Promise.all([
      world.applyUntilHealthy(instance('twice')),
      world.applyUntilHealthy(instance('twice')),
    ])

    const { folder } = createLayout(world.dataDir).site('twice')
    await expect(processesOf(folder)).resolves.toEqual([await world.pid('twice')])
  })

  it('a new name is shown without a restart', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('renamed', { name: 'Before' }))
    const pid = await world.pid('renamed')

    await world.engine.apply(instance('renamed', { name: 'After <b>' }), { mayCreate: true })

    const page = await world.visit('renamed', '/')
    expect(page.body).toContain('After &lt;b&gt;')
    expect(page.body).not.toContain('Before')
    await expect(world.pid('renamed')).resolves.toBe(pid)
  })

  it.each(['', '.', '..', '../other', 'a/b', 'UPPER', '-a', 'a-', 'a'.repeat(64), 'a\0b'])(
    'rejects %j, which is no key, before it touches a file',
    async (key) => {
      const world = await startHostingWorld()
      await expect(world.engine.apply(instance(key), { mayCreate: true })).rejects.toThrow(
        'Not a project key',
      )
      await expect(world.engine.list()).resolves.toEqual([])
    },
  )

  it('the socket path fits in a data folder with a long path', async () => {
    const root = await createDataFolder()
    const world = await startHostingWorld({ dataDir: join(root, 'long'.repeat(30)) })
    const key = 'k'.repeat(63)
    await world.applyUntilHealthy(instance(key))
    await expect(world.pid(key)).resolves.toBeGreaterThan(1)
    await world.engine.remove(key)
  })
})

describe('local engine: apply without the right to create', () => {
  it('rejects for a site without data, and creates no folder', async () => {
    const world = await startHostingWorld()
    await expect(world.engine.apply(instance('lost'), { mayCreate: false })).rejects.toThrow(
      'The data of lost is missing',
    )
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it('fails a release of a site whose data is missing, and creates no folder', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('lost'))
    const { data } = createLayout(world.dataDir).site('lost')
    await rename(data, join(world.dataDir, 'lost'))
    const problem = await world.engine.stage(instance('lost', { restarts: 1 }))
    expect(problem).toEqual({ failure: 'data_missing' })
    await expect(exists(data)).resolves.toBe(false)
  })

  it('a site whose process dies while its data is missing is not restarted with empty data', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('lost'))
    const { data } = createLayout(world.dataDir).site('lost')
    const pid = await world.pid('lost')
    await rename(data, join(world.dataDir, 'lost'))
    process.kill(pid, 'SIGKILL')
    const messages = () => world.lines.map(({ message }) => message)
    await expect.poll(messages, pollOptions).toContain('A site could not be restarted')
    await expect(exists(data)).resolves.toBe(false)
  })

  it('a restored folder gets the user of its site as its owner', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('restored'))
    const { data } = createLayout(world.dataDir).site('restored')
    await world.engine.close({ stopSites: true })
    const file = join(data, 'content.json')
    if (process.getuid?.() === 0) for (const path of [data, file]) await chown(path, 0, 0)
    const restarted = await startHostingWorld({ dataDir: world.dataDir })
    await restarted.engine.apply(instance('restored'), { mayCreate: false })
    const [folderOwner, fileOwner] = [(await stat(data)).uid, (await stat(file)).uid]
    expect(fileOwner).toBe(folderOwner)
    if (process.getuid?.() === 0) expect(fileOwner).toBeGreaterThanOrEqual(30_000)
  })
})

describe('local engine: power', () => {
  it('a stopped instance has no process and keeps its data; a restarted server does not start it', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('power'))
    const { folder, data } = createLayout(world.dataDir).site('power')
    await writeFile(join(data, 'kept.txt'), 'kept')
    await world.engine.apply(instance('power', { power: 'stopped' }), { mayCreate: false })
    await expect(processesOf(folder)).resolves.toEqual([])
    await world.engine.close()

    const next = await startHostingWorld({ dataDir: world.dataDir })
    await next.engine.close()
    await expect(processesOf(folder)).resolves.toEqual([])

    const last = await startHostingWorld({ dataDir: world.dataDir })
    await last.applyUntilHealthy(instance('power'))
    await expect(readFile(join(data, 'kept.txt'), 'utf8')).resolves.toBe('kept')
  })

  it('a stopped instance leaves capacity for another', async () => {
    const world = await startHostingWorld({ siteLimit: 1 })
    await world.applyUntilHealthy(instance('one'))
    await world.engine.apply(instance('one', { power: 'stopped' }), { mayCreate: false })
    await world.applyUntilHealthy(instance('two'))
    await expect(world.pid('two')).resolves.toBeGreaterThan(1)
  })

  it('a changed `restarts` count replaces the process, and only once', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('again'))
    const before = await world.pid('again')
    await world.applyUntilHealthy(instance('again', { restarts: 1 }))
    const after = await world.pid('again')
    expect(after).not.toBe(before)
    await world.applyUntilHealthy(instance('again', { restarts: 1 }))
    await expect(world.pid('again')).resolves.toBe(after)
  })
})

describe('local engine: capacity', () => {
  it.skipIf(!canRun)('has memory for another site once a release runs', async () => {
    // Enough for one site that starts, but not for two.
    const world = await startHostingWorld({ freeMemory: () => 200 * 2 ** 20 })
    for (const key of ['first', 'second']) {
      const files = { 'package.json': '{"main":"app.js"}', 'app.js': serverOf(`'${key}'`) }
      const release = instance(key, { runtime: 'node', artifact: await artifactOf(world, files) })
      await expect(world.engine.stage(release, { mayCreate: true })).resolves.toBeNull()
      await world.applyUntilHealthy(release)
    }
    expect((await world.visit('second', '/')).body).toBe('second')
  })

  it('has room for another site after a change that failed', async () => {
    const world = await startHostingWorld({ siteLimit: 1 })
    const release = instance('failing', { runtime: 'node', artifact: 'a'.repeat(64) })
    const options = { mayCreate: true }
    await expect(world.engine.apply(release, options)).rejects.not.toThrow(CapacityError)
    await world.applyUntilHealthy(instance('other'))
  })

  it('rejects a site beyond the limit, logs it once, and has capacity after a removal', async () => {
    const world = await startHostingWorld({ siteLimit: 1 })
    await world.applyUntilHealthy(instance('one'))
    for (const key of ['two', 'three'])
      await expect(world.engine.apply(instance(key), { mayCreate: true })).rejects.toThrow(
        CapacityError,
      )
    await world.engine.apply(instance('one', { name: 'Renamed' }), { mayCreate: false })
    const refusals = world.lines.filter(({ level }) => level === 'warn')
    expect(refusals).toEqual([
      expect.objectContaining({
        message: 'There is no capacity for another site',
        sites: 1,
        limit: 1,
      }),
    ])

    await world.engine.remove('one')
    await world.applyUntilHealthy(instance('two'))
  })

  it('counts the sites that the previous server started', async () => {
    const before = await startHostingWorld()
    await before.applyUntilHealthy(instance('one'))
    await before.engine.close()
    const world = await startHostingWorld({ dataDir: before.dataDir, siteLimit: 1 })
    await world.applyUntilHealthy(instance('one'))
    await expect(world.engine.apply(instance('two'), { mayCreate: true })).rejects.toThrow(
      'all 1 places for sites are taken',
    )
  })
})

describe('local engine: scan', () => {
  it('returns other keys at each call until it has returned all, then starts over', async () => {
    const world = await startHostingWorld()
    for (const key of ['a', 'b', 'c'])
      await mkdir(createLayout(world.dataDir).site(key).data, { recursive: true })
    const first = [...(await world.engine.scan(2)), ...(await world.engine.scan(2))]
    expect(first.sort()).toEqual(['a', 'b', 'c'])
    expect(await world.engine.scan(2)).toHaveLength(2)
  })
})

describe('local engine: remove', () => {
  it('remove stops the site and deletes its files', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('gone'))
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

  it('remove may be repeated, and called for an unknown key', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('gone'))
    await Promise.all([world.engine.remove('gone'), world.engine.remove('gone')])
    await world.engine.remove('never')
    await world.engine.remove('../never')
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it('remove waits for a running apply and deletes its files', async () => {
    const world = await startHostingWorld()
    await Promise.all([
      world.engine.apply(instance('brief'), { mayCreate: true }),
      world.engine.remove('brief'),
    ])

    const { folder } = createLayout(world.dataDir).site('brief')
    await expect(processesOf(folder)).resolves.toEqual([])
    await expect(exists(folder)).resolves.toBe(false)
  })
})

describe('local engine: health and shutdown', () => {
  it('isHealthy is false when a host leads to no site', async () => {
    const world = await startHostingWorld()
    const siteWithHosts = instance('hosts', { hosts: ['hosts.localhost', 'www.example.test'] })
    await world.applyUntilHealthy(siteWithHosts)

    world.routes.delete('www.example.test')
    await expect(world.engine.isHealthy(siteWithHosts)).resolves.toBe(false)
  })

  it('isHealthy is false when a host leads to another site', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('mine'))
    await world.applyUntilHealthy(instance('other'))
    world.routes.set('mine.localhost', { key: 'other', cluster: 'local', state: 'ready' })
    await expect(world.engine.isHealthy(instance('mine'))).resolves.toBe(false)
  })
})

describe('local engine: check', () => {
  it('check resolves when sites can be created and reached', async () => {
    const world = await startHostingWorld()
    await expect(world.engine.check()).resolves.toBeUndefined()
  })

  it('check rejects when the gateway does not listen', async () => {
    const world = await startHostingWorld({ gateway: { host: '127.0.0.1', port: 1 } })
    await expect(world.engine.check()).rejects.toThrow('ECONNREFUSED')
  })
})

describe('local engine: close', () => {
  it('close stops every site on request, and rejects further calls', async () => {
    const world = await startHostingWorld()
    await Promise.all(['one', 'two', 'three'].map((key) => world.applyUntilHealthy(instance(key))))
    await world.engine.close({ stopSites: true })

    await expect(processesOf(createLayout(world.dataDir).sites)).resolves.toEqual([])
    await expect(world.engine.apply(instance('four'), { mayCreate: true })).rejects.toThrow(
      'closed',
    )
  })

  it('close stops sites of an earlier server that are not recovered yet', async () => {
    const dataDir = await createDataFolder()
    const keys = ['one', 'two', 'three']
    const before = await startHostingWorld({ dataDir })
    await Promise.all(keys.map((key) => before.applyUntilHealthy(instance(key))))
    await before.engine.close()

    const world = await startHostingWorld({ dataDir })
    await world.engine.close({ stopSites: true })
    await expect(processesOf(createLayout(dataDir).sites)).resolves.toEqual([])
  })
})
