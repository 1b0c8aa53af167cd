import { createProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../testing/archives.ts'
import { controlGroups } from '../../testing/control-groups.ts'
import { hasSandbox } from '../../testing/sandbox.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { jobs } from './releases.jobs.ts'

describe.skipIf(!(await hasSandbox()))('releases whose packages take long to install', () => {
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    world = await createWorld({ PROJECT_LIMIT: 100 })
    owner = await world.user()
    await world.host()
    await world.startWorkers()
  })
  afterAll(() => world.close())

  const deploy = async (runtime: Runtime, files: Record<string, string>) => {
    const { id, key } = await owner.call(createProject, {
      body: { name: 'A site', teamId: owner.teamId, regionId: 'eu', domain: null, runtime },
    })
    const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
    const { number } = await owner.call(createRelease, { params: { id }, query: {}, body })
    const state = async () =>
      (await owner.call(viewRelease, { params: { id, number: String(number) } })).state
    return { key, state }
  }

  it('do not delay other releases', async () => {
    // More than all jobs of a worker for releases and installations together.
    const count = 1 + jobs.reduce((sum, { concurrency = 0 }) => sum + concurrency, 0)
    const slow: Awaited<ReturnType<typeof deploy>>[] = []
    for (let number = 1; number <= count; number++) {
      const files = {
        'package.json': JSON.stringify({
          name: `app-${number}`,
          main: 'app.js',
          scripts: { postinstall: 'sleep 1000' },
        }),
        'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': {} } }),
        'app.js': '',
      }
      slow.push(await deploy('node', files))
    }
    await until(async () => {
      const groups = await controlGroups()
      const installing = slow.filter(({ key }) =>
        groups.some((name) => name.startsWith(`${key}.install-`)),
      )
      return installing.length === 2
    })

    const page = await deploy('static', { 'index.html': 'Hello' })
    await until(async () => (await page.state()) === 'live')
    const app = await deploy('node', {
      'package.json': '{"main":"app.js"}',
      'app.js': "require('node:http').createServer((q, s) => s.end()).listen(process.env.PORT)",
    })
    await until(async () => (await app.state()) === 'live')
    for (const { state } of slow) expect(await state()).toBe('checking')
  })
})
