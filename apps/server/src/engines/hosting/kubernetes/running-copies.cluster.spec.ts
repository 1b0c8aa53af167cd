import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createServiceOnCluster, instance, runtimeLack } from '../../../testing/cluster-world.ts'
import { startHostingWorld } from '../../../testing/hosting-world.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { digestOfArchive, writeArchive } from '../content/content-archive.ts'
import { createLayout } from '../local/files/layout.ts'
import { serverOf } from '../local/runtimes/node/node-site.fixture.ts'
import { createClusterProject } from './fixtures/cluster-project.fixture.ts'

const longTest = 600_000
const path = '/copy-of-a-test'

/** A server that inserts a row in each millisecond, and responds with their number. */
const app = {
  'package.json': '{"main":"app.js"}',
  'app.js': serverOf(
    "database.prepare('SELECT count(*) AS count FROM rows').get().count",
    `const { DatabaseSync } = require('node:sqlite')
     const database = new DatabaseSync(process.env.HOME + '/site.db')
     database.exec('PRAGMA journal_mode = wal; CREATE TABLE IF NOT EXISTS rows (n INTEGER)')
     const insert = database.prepare('INSERT INTO rows SELECT count(*) + 1 FROM rows')
     setInterval(() => insert.run(), 1)`,
  ),
}

describe.skipIf(runtimeLack)('the copy of a site that runs on Kubernetes', () => {
  let world: World
  let owner: TestUser
  let file: string
  beforeAll(async () => {
    world = await createServiceOnCluster('k')
    owner = await world.user()
    file = join(world.env.DATA_DIR, 'artifacts/incoming/test.content')
    // Pods reach the service only, so it receives the copy.
    const { server } = world.app.server.app
    const listeners = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === path) void receive(request, response)
      else for (const listener of listeners) listener.call(server, request, response)
    })
  }, longTest)
  afterAll(() => world?.close(), longTest)

  async function receive(request: IncomingMessage, response: ServerResponse) {
    await writeArchive(file, (archive) => pipeline(request, archive))
    response.end(JSON.stringify({ digest: await digestOfArchive(file) }))
  }

  /** A project whose app runs, and the copy of its files into `file`. */
  async function createSite() {
    const project = await createClusterProject(world, owner, 'node')
    expect(await project.deploy(app)).toMatchObject({ state: 'live', failure: null })
    const url = new URL(path, world.env.KUBERNETES_SERVICE_URL).href
    const site = instance(project.key, { image: null, runtime: 'node' })
    return {
      ...project,
      site,
      rows: async () => Number((await project.page()).body),
      async copy() {
        const signal = AbortSignal.timeout(longTest)
        await world.ctx.engine.exportContent(site, { file, url }, signal)
        return { file, url, digest: (await digestOfArchive(file)) ?? '' }
      },
    }
  }

  it(
    'has its database as of one moment, and its pod serves meanwhile',
    async () => {
      const { site, rows, copy, remove } = await createSite()
      await until(async () => (await rows()) > 100)
      const before = await rows()
      const address = world.ctx.engine.addressOf(site)
      const content = await copy()
      expect(world.ctx.engine.addressOf(site)).toEqual(address)
      expect(await rows()).toBeGreaterThan(before)

      const target = await startHostingWorld()
      await target.engine.importContent(site, content, AbortSignal.timeout(longTest))
      const { data } = createLayout(target.dataDir).site(site.key)
      const database = new DatabaseSync(join(data, 'site.db'))
      onTestFinished(() => database.close())
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      const query = 'SELECT count(*) AS count, max(n) AS last FROM rows'
      const { count, last } = database.prepare(query).get() ?? {}
      expect(Number(count)).toBeGreaterThanOrEqual(before)
      expect(last).toBe(count)
      await remove()
    },
    longTest,
  )

  it(
    'lets a release start, which has another pod',
    async () => {
      const { site, copy, remove } = await createSite()
      const { engine } = world.ctx
      const [state] = await engine.list([site])
      if (!state?.applied) throw new Error('the site was not applied')
      const release = { ...site, ...state.applied, restarts: state.applied.restarts + 1 }
      let isStaged = false
      // Below the service, whose backup before a release would end this copy.
      const staging = engine.stage(release).finally(() => {
        isStaged = true
      })
      while (!isStaged) await copy()
      expect(await staging).toBeNull()
      await engine.unstage(site)
      await remove()
    },
    longTest,
  )
})
