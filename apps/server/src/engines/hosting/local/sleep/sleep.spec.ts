import { once } from 'node:events'
import { rename, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  createHostingWorld,
  type HostingWorld,
  startHostingWorld,
} from '../../../../testing/hosting-world.ts'
import { processesOf } from '../../../../testing/processes.ts'
import { until } from '../../../../testing/until.ts'
import type { Instance } from '../../engine.ts'
import { createLayout } from '../files/layout.ts'
import {
  applyAndKill,
  contentOf,
  createProbeSite,
  instance,
} from '../fixtures/local-engine.fixture.ts'
import { createLocalEngine } from '../local-engine.ts'

const sleepAfterMs = 1_000

const filesOf = ({ dataDir }: HostingWorld, key: string) => createLayout(dataDir).site(key)

/** Starts a site, and routes its name to it. */
async function startRoutedSite(world: HostingWorld, site: Instance) {
  await world.applyUntilHealthy(site)
  world.routes.set(`${site.key}.localhost`, { key: site.key, cluster: 'local', state: 'ready' })
}

const isAsleep = async ({ engine }: HostingWorld, key: string) => {
  const [observed] = await engine.list([key])
  return observed?.asleep
}

const untilAsleep = (world: HostingWorld, key: string) => until(() => isAsleep(world, key))

async function worldWithSleeper(site = instance('sleeper')) {
  const world = await startHostingWorld({ sleepAfterMs })
  await startRoutedSite(world, site)
  await untilAsleep(world, site.key)
  return world
}

const messages = ({ lines }: HostingWorld) => lines.map(({ message }) => message)

describe('local engine: a site without requests', () => {
  it('is stopped, counts as running, and serves the next request with its data', async () => {
    const world = await worldWithSleeper()
    const { folder } = filesOf(world, 'sleeper')
    await expect(processesOf(folder)).resolves.toEqual([])
    await expect(world.engine.list(['sleeper'])).resolves.toMatchObject([
      { running: true, asleep: true, applied: { key: 'sleeper' } },
    ])
    const content = await contentOf(world.dataDir, 'sleeper')
    const metadata = await world.engine.metadata(instance('sleeper'))

    expect((await world.visit('sleeper', '/')).status).toBe(200)
    expect(await world.engine.metadata(instance('sleeper'))).toEqual(metadata)
    expect(await isAsleep(world, 'sleeper')).toBe(false)
    expect(await contentOf(world.dataDir, 'sleeper')).toEqual(content)
  })

  it('starts one process for many requests at once', async () => {
    const world = await worldWithSleeper()
    const visits = await Promise.all(Array.from({ length: 40 }, () => world.visit('sleeper', '/')))
    expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([200]))
    await expect(processesOf(filesOf(world, 'sleeper').folder)).resolves.toHaveLength(1)
    expect(messages(world).filter((message) => message === 'A site started')).toHaveLength(2)
  })

  it('stays awake while a request is open, however long it takes', async () => {
    const world = await startHostingWorld({ sleepAfterMs, siteSource: await createProbeSite() })
    await startRoutedSite(world, instance('busy'))
    await startRoutedSite(world, instance('idle'))
    const stream = request({
      port: world.port,
      path: '/stream',
      headers: { host: 'busy.localhost' },
    })
    const [response] = await once(stream.end(), 'response')
    response.on('error', () => undefined)
    // Meanwhile the idle site falls asleep twice.
    await untilAsleep(world, 'idle')
    await world.visit('idle', '/healthz')
    await untilAsleep(world, 'idle')
    expect(await isAsleep(world, 'busy')).toBe(false)
    response.destroy()
    await untilAsleep(world, 'busy')
  })

  it('stays awake after a crash until it has run well, so that its crashes are counted', async () => {
    const world = await startHostingWorld({ sleepAfterMs })
    await startRoutedSite(world, instance('idle'))
    await startRoutedSite(world, instance('crashed'))
    process.kill(await world.pid('crashed'), 'SIGKILL')
    await until(() => world.engine.crashesOf('crashed'))
    // Meanwhile the idle site falls asleep twice.
    await untilAsleep(world, 'idle')
    await world.visit('idle', '/')
    await untilAsleep(world, 'idle')
    expect(await isAsleep(world, 'crashed')).toBe(false)
    expect(world.engine.crashesOf('crashed')).toMatchObject({ count: 1 })
  })

  it('leaves capacity for another site', async () => {
    const world = await startHostingWorld({ sleepAfterMs, siteLimit: 1 })
    await startRoutedSite(world, instance('one'))
    await untilAsleep(world, 'one')
    await startRoutedSite(world, instance('two'))
    const rejected = await world.visit('one', '/')
    expect(rejected.status).toBe(503)
    expect(messages(world)).toContain('There is no capacity for another site')
    await untilAsleep(world, 'two')
    expect((await world.visit('one', '/')).status).toBe(200)
  })

  it('wakes at a visit while the engine still starts', async () => {
    const before = await worldWithSleeper()
    await before.engine.close()
    const world = await createHostingWorld({ dataDir: before.dataDir, sleepAfterMs })
    const started = world.start()
    const woken = world.engine.wake('sleeper')
    await started
    await expect(woken).resolves.toBe('awake')
  })

  it('never sleeps with SLEEP_AFTER=0, and wakes at the start of a server with this setting', async () => {
    const world = await worldWithSleeper()
    await world.engine.close()
    const next = await startHostingWorld({ dataDir: world.dataDir, sleepAfterMs: 0 })
    await until(async () => (await processesOf(filesOf(world, 'sleeper').folder)).length === 1)
    expect(await isAsleep(next, 'sleeper')).toBe(false)
  })
})

describe('local engine: a site that does not wake', () => {
  it('gets the error page of the gateway and a line in the log, and wakes once it can', async () => {
    const world = await worldWithSleeper()
    const { data } = filesOf(world, 'sleeper')
    await rename(data, `${data}.away`)
    expect((await world.visit('sleeper', '/')).status).toBe(503)
    const failure = world.lines.find(({ message }) => message === 'A site could not be woken')
    expect(failure).toMatchObject({ key: 'sleeper', level: 'error' })
    await rename(`${data}.away`, data)
    expect((await world.visit('sleeper', '/')).status).toBe(200)
  })

  it('gets the error page of the gateway when its program exits at once', async () => {
    const world = await startHostingWorld({ sleepAfterMs, siteSource: await createProbeSite() })
    await startRoutedSite(world, instance('sleeper'))
    await untilAsleep(world, 'sleeper')
    // The program of the tests exits with code 7 if its site has this name.
    const broken = instance('sleeper', { name: 'Ends at once' })
    await world.engine.apply(broken, { mayCreate: false })
    expect((await world.visit('sleeper', '/healthz')).status).toBe(503)
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        message: 'A site does not respond after its start',
        key: 'sleeper',
        failure: 'program_exited',
        detail: '7',
      }),
    )
  })
})

describe('local engine: a change of a site that sleeps', () => {
  it('leaves the site asleep if only its name changes', async () => {
    const world = await worldWithSleeper()
    await world.engine.apply(instance('sleeper', { name: 'After' }), { mayCreate: false })
    expect(await isAsleep(world, 'sleeper')).toBe(true)
    expect((await world.visit('sleeper', '/')).body).toContain('After')
  })

  it('starts one process for another launch, staged or not', async () => {
    const world = await worldWithSleeper()
    const { folder } = filesOf(world, 'sleeper')
    const next = instance('sleeper', { restarts: 1 })
    await expect(world.engine.stage(next)).resolves.toBeNull()
    await world.engine.apply(next, { mayCreate: false })
    expect((await world.visit('sleeper', '/')).status).toBe(200)
    await expect(processesOf(folder)).resolves.toHaveLength(1)

    await untilAsleep(world, 'sleeper')
    await world.engine.apply(instance('sleeper', { restarts: 2 }), { mayCreate: false })
    expect(await isAsleep(world, 'sleeper')).toBe(false)
    await until(async () => (await processesOf(folder)).length === 1)
  })

  it('stops the site, also while it wakes', async () => {
    const world = await worldWithSleeper()
    const { folder, asleep } = filesOf(world, 'sleeper')
    const stopped = instance('sleeper', { power: 'stopped' })
    const [, visit] = await Promise.all([
      world.engine.apply(stopped, { mayCreate: false }),
      world.visit('sleeper', '/'),
    ])
    expect([200, 503]).toContain(visit.status)
    await world.engine.apply(stopped, { mayCreate: false })
    await expect(processesOf(folder)).resolves.toEqual([])
    await expect(stat(asleep)).rejects.toThrow('ENOENT')
    await expect(world.engine.list(['sleeper'])).resolves.toMatchObject([
      { running: false, asleep: false },
    ])
  })

  it('removes the site, which then cannot wake', async () => {
    const world = await worldWithSleeper()
    await world.engine.remove('sleeper')
    await expect(world.engine.wake('sleeper')).resolves.toBe('not_running')
    await expect(world.engine.list()).resolves.toEqual([])
  })
})

describe('local engine: a server restart', () => {
  it('leaves the sites asleep that slept', async () => {
    const world = await worldWithSleeper()
    await world.engine.close()
    const next = await startHostingWorld({ dataDir: world.dataDir, sleepAfterMs })
    next.routes.set('sleeper.localhost', { key: 'sleeper', cluster: 'local', state: 'ready' })
    await untilAsleep(next, 'sleeper')
    await expect(processesOf(filesOf(world, 'sleeper').folder)).resolves.toEqual([])
    expect((await next.visit('sleeper', '/')).status).toBe(200)
  })

  it('adopts a site whose server was killed while it woke', async () => {
    const first = await startHostingWorld()
    await first.engine.close()
    const site = instance('sleeper')
    const pid = await applyAndKill(first.dataDir, site)
    // The process runs; its server had not yet removed the mark.
    await writeFile(filesOf(first, 'sleeper').asleep, 'launch')
    const next = await startHostingWorld({ dataDir: first.dataDir, sleepAfterMs: 60_000 })
    next.routes.set('sleeper.localhost', { key: 'sleeper', cluster: 'local', state: 'ready' })
    await expect(next.pid('sleeper')).resolves.toBe(pid)
    await expect(stat(filesOf(first, 'sleeper').asleep)).rejects.toThrow('ENOENT')
  })
})

describe('local engine: a gateway in another process', () => {
  it('wakes a site by the process that runs the sites, and knows nothing without one', async () => {
    const world = await worldWithSleeper()
    const otherEngine = createLocalEngine({
      dataDir: world.dataDir,
      gateway: { host: '127.0.0.1', port: world.port },
      log: { info() {}, warn() {}, error() {} },
    })
    await expect(otherEngine.wake('sleeper')).resolves.toBe('awake')
    expect(await isAsleep(world, 'sleeper')).toBe(false)
    await expect(otherEngine.wake('unknown')).resolves.toBe('not_running')
    await expect(otherEngine.wake('../sleeper')).resolves.toBe('not_running')
    await world.engine.close()
    await expect(otherEngine.wake('sleeper')).resolves.toBe('unknown')
    await otherEngine.close()
  })
})
