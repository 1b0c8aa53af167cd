import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { createServiceOnCluster, runtimeLack } from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { createClusterProject } from './fixtures/cluster-project.fixture.ts'

const longTest = 240_000

/** An app that runs until a visit to `/break`, and then ends at each start. */
const fragileApp = {
  'package.json': JSON.stringify({ main: 'main.js' }),
  'main.js': `
    const { existsSync, writeFileSync } = require('node:fs')
    const marker = process.env.HOME + '/broken'
    function end() {
      process.stderr.write('the orders cannot be read\\n', () => process.exit(1))
    }
    if (existsSync(marker)) end()
    else require('node:http').createServer((request, response) => {
      if (request.url === '/break') {
        writeFileSync(marker, '')
        response.once('close', end)
      }
      response.end('one')
    }).listen(process.env.PORT)`,
}

describe.skipIf(runtimeLack)('a live site on Kubernetes that begins to crash', () => {
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    world = await createServiceOnCluster('c')
    owner = await world.user()
  }, longTest)
  afterAll(() => world?.close(), longTest)

  it(
    'is shown with the number of its crashes and its last lines, until a release heals it',
    async () => {
      const project = await createClusterProject(world, owner, 'node')
      /** The project's page after a sweep, once the condition holds. */
      const shownOnce = (
        isExpected: (shown: Awaited<ReturnType<typeof project.view>>) => boolean,
      ) =>
        until(async () => {
          await sweep(world.ctx)
          const shown = await project.view()
          return isExpected(shown) && shown
        })
      expect(await project.deploy(fragileApp)).toMatchObject({ state: 'live' })
      await until(async () => (await project.page()).body === 'one')
      expect(await project.view()).toMatchObject({ failure: null, crashes: 0, lastOutput: [] })

      await project.page('/break')
      const crashing = await shownOnce(
        ({ crashes, lastOutput }) => crashes > 0 && lastOutput.length > 0,
      )
      expect(crashing).toMatchObject({ state: 'ready', failure: 'program_crashes' })
      expect(crashing.crashes).toBeGreaterThanOrEqual(3)
      expect(crashing.lastOutput).toContain('the orders cannot be read')
      expect((await project.page()).status).not.toBe(200)

      const healthyApp = {
        ...fragileApp,
        'main.js': `require('node:http').createServer((_, response) => response.end('two'))
          .listen(process.env.PORT)`,
      }
      expect(await project.deploy(healthyApp)).toMatchObject({ state: 'live' })
      await until(async () => (await project.page()).body === 'two')
      const healed = await shownOnce(({ failure }) => failure === null)
      expect(healed).toMatchObject({ state: 'ready', crashes: 0, lastOutput: [] })
      await project.remove()
    },
    longTest,
  )
})
