import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HostingWorld, startHostingWorld } from '../../../testing/hosting-world.ts'
import { pollOptions } from '../../../testing/until.ts'
import { createLayout } from './files/layout.ts'
import { createProbeSite, instance } from './fixtures/local-engine.fixture.ts'

const isRoot = process.getuid?.() === 0

const startProbe = async (): Promise<HostingWorld> => {
  const world = await startHostingWorld({ siteSource: await createProbeSite() })
  await world.applyUntilHealthy(instance('probe'))
  return world
}

const fetchJson = async (world: HostingWorld, path: string) =>
  JSON.parse((await world.visit('probe', path)).body)

const encodePath = (path: string) => encodeURIComponent(path)

describe('isolation of a site', () => {
  it("the server's environment is hidden from the site", async () => {
    process.env.SECRET_OF_THE_SERVER = 'secret'
    const world = await startProbe()
    const { env, cwd } = await fetchJson(world, '/environment')
    // The shell that sets the limits adds PWD, and on some systems SHLVL and _.
    expect(
      Object.keys(env).filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)),
    ).toEqual([])
    expect(cwd).toBe(createLayout(world.dataDir).site('probe').data)
  })

  it('a site reads its settings and data, and no other file', async () => {
    const world = await startProbe()
    const layout = createLayout(world.dataDir)
    await world.applyUntilHealthy(instance('probe2'))
    const [ownSite, otherSite] = [layout.site('probe'), layout.site('probe2')]

    await expect(fetchJson(world, `/read?path=${encodePath(ownSite.settings)}`)).resolves.toBe(
      'done',
    )
    for (const path of [
      '/etc/passwd',
      '/proc/self/environ',
      `/proc/${process.pid}/environ`,
      ownSite.process,
      ownSite.log,
      otherSite.settings,
      join(otherSite.data, 'content.json'),
      import.meta.filename,
    ]) {
      await expect(fetchJson(world, `/read?path=${encodePath(path)}`)).resolves.toMatch(
        /^(ERR_)?E?ACCES/,
      )
    }
  })

  it('a site writes only its data folder', async () => {
    const world = await startProbe()
    const { data, settings, folder, socketFolder } = createLayout(world.dataDir).site('probe')

    await expect(fetchJson(world, `/write?path=${encodePath(join(data, 'mine'))}`)).resolves.toBe(
      'done',
    )
    for (const path of [settings, join(folder, 'x'), join(socketFolder, 'x'), '/tmp/hosting-x']) {
      await expect(fetchJson(world, `/write?path=${encodePath(path)}`)).resolves.toBe(
        'ERR_ACCESS_DENIED',
      )
    }
  })

  it('a site cannot start processes or threads', async () => {
    const world = await startProbe()
    await expect(fetchJson(world, '/run')).resolves.toBe('ERR_ACCESS_DENIED')
    await expect(fetchJson(world, '/worker')).resolves.toBe('ERR_ACCESS_DENIED')
  })

  it("a site runs as its own user when the server is root, otherwise as the server's user", async () => {
    const world = await startProbe()
    await world.applyUntilHealthy(instance('second'))
    const first = await fetchJson(world, '/user')
    const second = JSON.parse((await world.visit('second', '/user')).body)
    if (isRoot) {
      expect(first.uid).toBeGreaterThanOrEqual(30_000)
      expect(first.groups).toEqual([first.uid])
      expect(second.uid).not.toBe(first.uid)
      const { uid, mode } = await stat(createLayout(world.dataDir).site('probe').data)
      expect([uid, mode & 0o777]).toEqual([first.uid, 0o750])
    } else {
      expect([first.uid, second.uid]).toEqual([process.getuid?.(), process.getuid?.()])
    }
  })

  it('a site has the same user after a restart of the engine', async () => {
    const before = await startProbe()
    const { uid } = await fetchJson(before, '/user')
    await before.engine.close({ stopSites: true })
    const world = await startHostingWorld({
      siteSource: await createProbeSite(),
      dataDir: before.dataDir,
    })
    await world.applyUntilHealthy(instance('probe'))
    await expect(fetchJson(world, '/user')).resolves.toMatchObject({ uid })
  })

  it('a site that logs endlessly does not fill the disk', async () => {
    const limits = { fileBytes: 4 * 1024 * 1024 }
    const world = await startHostingWorld({
      siteSource: await createProbeSite(),
      limits,
      logCheckMs: 5,
    })
    await world.applyUntilHealthy(instance('probe'))
    const { log } = createLayout(world.dataDir).site('probe')
    const pid = await world.pid('probe')

    for (let printed = 0; printed < 8 * 1024 * 1024; ) {
      printed = await fetchJson(world, '/flood')
      expect((await stat(log)).size).toBeLessThanOrEqual(limits.fileBytes)
    }

    await expect
      .poll(async () => (await stat(log)).size, pollOptions)
      .toBeLessThanOrEqual(1024 * 1024 + 64 * 1024)
    await expect(world.pid('probe')).resolves.toBe(pid)
  })
})
