import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createProject,
  deleteProject,
  restartProject,
  viewProject,
} from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCluster } from '../../../env/configured-clusters.ts'
import { type ArchiveFiles, tarOf, zipOf } from '../../../testing/archives.ts'
import { createServiceOnCluster, hostAddress, runtimeLack } from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { serverOf } from '../local/runtimes/node/node-site.fixture.ts'

const longTest = 400_000

/** A registry with one package, which counts the requests for it. */
async function startRegistry() {
  const tarball = await tarOf({
    'package/package.json': '{"name":"greeting","version":"1.0.0","main":"index.js"}',
    'package/index.js': "module.exports = 'hello'",
  })
  let requests = 0
  const server: Server = createServer((_request, response) => {
    requests += 1
    response.end(tarball)
  })
  const host = hostAddress()
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}/greeting-1.0.0.tgz`
  return {
    url,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    requests: () => requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe.skipIf(runtimeLack)('the packages of a Node app on Kubernetes', () => {
  let world: World
  let owner: TestUser
  let registry: Awaited<ReturnType<typeof startRegistry>>
  beforeAll(async () => {
    registry = await startRegistry()
    world = await createServiceOnCluster('n')
    owner = await world.user()
  })
  afterAll(async () => {
    await world?.close()
    registry?.close()
  }, longTest)

  /** An app that responds with the value of an expression, and the entries of its lock file. */
  const app = (expression: string, locked: { integrity?: string; scripts?: object } = {}) => ({
    'package.json': JSON.stringify({
      main: 'main.js',
      dependencies: { greeting: '1.0.0' },
      ...(locked.scripts ? { scripts: locked.scripts } : {}),
    }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { greeting: '1.0.0' } },
        'node_modules/greeting': {
          version: '1.0.0',
          resolved: registry.url,
          integrity: locked.integrity ?? registry.integrity,
        },
      },
    }),
    'main.js': serverOf(expression),
  })

  it(
    'are installed once for a release, and reused while the lock file is the same',
    async () => {
      const body = { name: 'Site', teamId: owner.teamId, regionId: 'eu', domain: null }
      const { id, key } = await owner.call(createProject, { body: { ...body, runtime: 'node' } })
      const params = { id }
      const site = { key, cluster: defaultCluster }
      const project = () => owner.call(viewProject, { params: { key } })
      await until(async () => (await project()).state === 'ready')
      const page = async () => (await sitePage(world.env.SITES_PORT, `${key}.localhost`, '/')).body
      const deploy = async (files: ArchiveFiles) => {
        const archive = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
        const query = { runtime: 'node' as const }
        const { number } = await owner.call(createRelease, { params, query, body: archive })
        return until(async () => {
          const release = await owner.call(viewRelease, { params: { id, number: String(number) } })
          return release.state !== 'checking' && release
        })
      }
      const outputOf = ({ log }: { log: readonly object[] }) => JSON.stringify(log)

      const first = await deploy(app("require('greeting') + ' 1'"))
      expect(first).toMatchObject({ state: 'live', failure: null })
      expect(outputOf(first)).toContain('added 1 package')
      await until(async () => (await page()) === 'hello 1')
      expect(registry.requests()).toBe(1)

      expect(await deploy(app("require('greeting') + ' 2'"))).toMatchObject({ state: 'live' })
      await until(async () => (await page()) === 'hello 2')
      expect(registry.requests()).toBe(1)

      const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
      const broken = await deploy(app("'broken'", { integrity }))
      expect(broken).toMatchObject({ state: 'failed', failure: 'install_failed' })
      expect(outputOf(broken)).toContain('EINTEGRITY')
      expect(await page()).toBe('hello 2')

      // A script may change the whole app, which the pods then get.
      const scripts = { postinstall: "sed -i 's/old/new/' main.js" }
      const scripted = await deploy(app("require('greeting') + ' old'", { scripts }))
      expect(scripted).toMatchObject({ state: 'live' })
      await until(async () => (await page()) === 'hello new')

      // A start needs no registry.
      registry.close()
      const before = JSON.stringify(world.ctx.engine.addressOf(site))
      await owner.call(restartProject, { params })
      await until(() => {
        const now = world.ctx.engine.addressOf(site)
        return now !== null && JSON.stringify(now) !== before
      })
      expect(await page()).toBe('hello new')

      await owner.call(deleteProject, { params })
      await until(async () => (await project()).state === 'deleted')
      expect(await world.ctx.engine.list([site])).toMatchObject([{ applied: null }])
    },
    longTest,
  )
})
