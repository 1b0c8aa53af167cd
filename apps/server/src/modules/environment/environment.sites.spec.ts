import { changeEnvironment } from '@slipway/contract/environment'
import { createProject, restartProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../testing/archives.ts'
import { httpGet } from '../../testing/http-get.ts'
import { readCommandLines } from '../../testing/processes.ts'
import { hasSandbox } from '../../testing/sandbox.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'

/** A program that shows its release, its process and its variables. */
const program = (release: string) => `
  const started = Date.now()
  require('node:http').createServer((request, response) => {
    response.end(JSON.stringify({ release: '${release}', started, variables: process.env }))
  }).listen(process.env.PORT)`

type Page = { release: string; started: number; variables: Record<string, string> }

describe.skipIf(!(await hasSandbox()))('the environment variables of a Node site', () => {
  let world: World
  let owner: TestUser
  beforeAll(async () => {
    process.env.SECRET_OF_THE_SERVER = 'not for sites'
    world = await createWorld()
    owner = await world.user()
    await world.host()
    await world.startWorkers()
  })
  afterAll(async () => {
    delete process.env.SECRET_OF_THE_SERVER
    await world.close()
  })

  it('are visible after a change, a restart and a release, and no variable of the server is', async () => {
    const { call, teamId } = owner
    const { id, key } = await call(createProject, {
      body: { name: 'Variables', teamId, regionId: 'eu', domain: null, runtime: 'node' },
    })
    const params = { id }
    const deploy = async (release: string) => {
      const files = { 'package.json': '{"main":"app.js"}', 'app.js': program(release) }
      const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
      const { number } = await call(createRelease, { params, query: {}, body })
      const ended = await until(async () => {
        const view = { params: { id, number: String(number) } }
        const current = await call(viewRelease, view)
        return current.state !== 'checking' && current
      })
      expect(ended).toMatchObject({ state: 'live', failure: null })
    }
    const page = (isExpected: (page: Page) => boolean) =>
      until(async () => {
        const { status, body } = await httpGet({ port: world.env.SITES_PORT }, '/', {
          host: `${key}.localhost`,
        })
        const shown = status === 200 && body.startsWith('{') && (JSON.parse(body) as Page)
        return shown && isExpected(shown) && shown
      })

    await call(changeEnvironment, { params, body: { set: { GREETING: 'Merhaba ğ', OLD: '1' } } })
    await deploy('first')
    const first = await page(({ release }) => release === 'first')
    expect(first.variables).toMatchObject({ GREETING: 'Merhaba ğ', OLD: '1' })

    const set = { GREETING: 'two\nlines' }
    await call(changeEnvironment, { params, body: { set, remove: ['OLD'] } })
    const changed = await page(({ variables }) => variables.GREETING === 'two\nlines')
    expect(changed.variables.OLD).toBeUndefined()

    await call(restartProject, { params })
    const restarted = await page(({ started }) => started > changed.started)
    await deploy('second')
    const second = await page(({ release }) => release === 'second')

    for (const { variables } of [restarted, second]) {
      expect(variables.GREETING).toBe('two\nlines')
      expect(Object.keys(variables)).not.toContain('SECRET_OF_THE_SERVER')
      expect(Object.keys(variables)).not.toContain('DATABASE_URL')
    }
    expect(world.logged.join('')).not.toMatch(/Merhaba|two\\nlines/)
    const commands = (await readCommandLines()).map(([, command]) => command)
    expect(commands.filter((command) => command.includes('two\nlines'))).toEqual([])
  })
})
