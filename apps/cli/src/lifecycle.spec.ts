import { access, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import {
  createProject,
  listProjects,
  type Project,
  type ProjectId,
} from '@slipway/contract/projects'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLayout } from '../../server/src/engines/hosting/local/files/layout.ts'
import { readProcessRecord } from '../../server/src/engines/hosting/local/process/process-record.ts'
import { until } from '../../server/src/testing/until.ts'
import type { TestUser } from '../../server/src/testing/world.ts'
import { type Cli, createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld } from './cli-world.fixture.ts'

let service: CliWorld
let world: CliWorld['world']
let newSite: CliWorld['newSite']
let cli: Cli

beforeAll(async () => {
  service = await createCliWorld()
  ;({ world, newSite } = service)
})
afterAll(() => service.close())

beforeEach(async () => {
  cli = await createCli({ SLIPWAY_URL: service.url })
})
afterEach(() => cli.remove())

/** A token for all projects of a user. */
async function tokenFor(user: TestUser) {
  const { token } = await user.call(createPersonalToken, {
    body: { name: 'Laptop', projectIds: null },
  })
  return { SLIPWAY_TOKEN: token }
}

const find = async (id: ProjectId) =>
  (await service.owner.call(listProjects)).find((project) => project.id === id)

describe('slipway create', () => {
  it('creates a project of the only team, to which the next deployment goes', async () => {
    const user = await world.user()
    const env = await tokenFor(user)
    await cli.write({ 'dist/index.html': 'mine' })
    const options = ['--runtime', 'static', '--region', 'eu']
    const created = await cli.run(['create', 'My shop', ...options], env)
    const [project] = await user.call(listProjects)
    expect(project).toMatchObject({ name: 'My shop', runtime: 'static', teamId: user.teamId })
    const { key = '' } = project ?? {}
    expect(created).toEqual({
      code: 0,
      errors: '',
      output: `Created ${key}, and linked this folder to it (.slipway.json).\nhttp://${key}.localhost:${world.env.SITES_PORT}\nDeploy a folder to it: slipway deploy FOLDER\n`,
    })
    expect((await cli.run(['deploy', 'dist'], env)).output).toContain('Release 1 is live')
  })

  it('creates no project while the folder is linked to another one', async () => {
    const user = await world.user()
    await cli.write({ '.slipway.json': '{ "project": "other-k3x9qa" }' })
    const { code, errors } = await cli.run(['create', 'Shop'], await tokenFor(user))
    expect(code).toBe(1)
    expect(errors).toContain('linked to the project other-k3x9qa already')
    expect(await user.call(listProjects)).toEqual([])
  })

  it('shows the key of the new project when the folder cannot be linked to it', async () => {
    const user = await world.user()
    await symlink('missing/link.json', join(cli.folder, '.slipway.json'))
    const args = ['create', 'Shop', '--region', 'eu']
    const { code, errors, output } = await cli.run(args, await tokenFor(user))
    const [project] = await user.call(listProjects)
    expect([code, errors]).toEqual([1, ''])
    expect(output).toContain(`Created ${project?.key}, but couldn't link this folder to it: ENOENT`)
  })

  it('lists the teams of a user who has several, and accepts one by its name', async () => {
    const user = await world.user()
    const otherOwner = await world.user({ name: 'Grace Hopper' })
    await world.join(user, otherOwner.teamId)
    const env = await tokenFor(user)
    const { code, errors } = await cli.run(['create', 'Shop'], env)
    expect(code).toBe(1)
    expect(errors).toMatch(/^Choose one with --team: /)
    expect(errors).toContain(`(${user.teamId})`)
    const [, name = ''] = new RegExp(`([^,:]+) \\(${otherOwner.teamId}\\)`).exec(errors) ?? []
    const options = ['--team', name.trim(), '--region', 'eu', '--json']
    const { output } = await cli.run(['create', 'Shop', ...options], env)
    expect(JSON.parse(output).project.teamId).toBe(otherOwner.teamId)
  })

  it('lists the regions where there are several, and accepts one by its name', async () => {
    const user = await world.user()
    const env = await tokenFor(user)
    for (const options of [[], ['--region', 'moon']]) {
      const { code, errors } = await cli.run(['create', 'Shop', ...options], env)
      const choices = 'Europe (eu), North America (us)'
      expect([code, errors]).toEqual([1, `Choose one with --region: ${choices}\n`])
    }
    expect((await cli.run(['create', 'Shop', '--region', 'Europe'], env)).code).toBe(0)
    expect(await user.call(listProjects)).toHaveLength(1)
  })

  it('says that a limited token cannot create or delete projects', async () => {
    const { env } = await newSite()
    for (const args of [
      ['create', 'Shop'],
      ['delete', '--yes'],
    ]) {
      const { code, errors } = await cli.run(args, env)
      expect(code).toBe(1)
      expect(errors).toContain('The token is limited to some projects.')
    }
  })

  it('rejects an unknown runtime and a missing name as a wrong command line', async () => {
    const env = await tokenFor(service.owner)
    expect((await cli.run(['create', 'Shop', '--runtime', 'cobol'], env)).code).toBe(2)
    expect((await cli.run(['create'], env)).code).toBe(2)
  })
})

describe('slipway stop, start and restart', () => {
  it('stops the site, which the list of projects shows, and starts it again', async () => {
    const { id, env } = await newSite()
    await until(async () => (await find(id))?.state === 'ready')
    expect((await cli.run(['stop'], env)).output).toBe('Example site is stopped\n')
    expect((await find(id))?.power).toBe('stopped')
    expect((await cli.run(['projects'], env)).output).toMatch(/ Stopped /)
    const rejected = await cli.run(['restart'], env)
    expect([rejected.code, rejected.errors]).toEqual([1, expect.stringMatching(/stopped/i)])
    const { output } = await cli.run(['start', '--json'], env)
    expect(JSON.parse(output)).toMatchObject({ id, power: 'running' })
  })

  it('restarts the program of the site', async () => {
    const { key, id, env, visit } = await newSite('Starter', 'starter')
    await until(async () => (await find(id))?.state === 'ready')
    const layout = createLayout(world.env.DATA_DIR)
    const startTime = async () => (await readProcessRecord(layout.site(key).process))?.startTime
    const first = await startTime()
    expect(first).toBeDefined()
    expect((await cli.run(['restart'], env)).output).toBe('Starter is restarting\n')
    await until(async () => ![first, undefined].includes(await startTime()))
    expect(await visit('/healthz')).toBe('{"status":"ok"}')
  })
})

describe('slipway delete', () => {
  async function linkedProject(): Promise<{ project: Project; env: Record<string, string> }> {
    const user = await world.user()
    const env = await tokenFor(user)
    const project = await user.call(createProject, {
      body: { name: 'My shop', teamId: user.teamId, regionId: 'eu', domain: null },
    })
    await cli.run(['link', project.key], env)
    return { project, env }
  }
  const link = () => readFile(join(cli.folder, '.slipway.json'), 'utf8')

  it('deletes nothing before the name of the project is typed', async () => {
    const { project, env } = await linkedProject()
    for (const input of ['', 'my shop\n', `${project.key}\n`]) {
      const { code, errors } = await cli.run(['delete'], { ...env, input })
      expect([code, errors]).toEqual([1, expect.stringContaining('My shop was not deleted')])
    }
    expect(await link()).toContain(project.key)
    const { code, output } = await cli.run(['delete'], { ...env, input: 'My shop\n' })
    expect([code, output]).toEqual([0, 'My shop was deleted\n'])
    expect((await cli.run(['projects'], env)).output).toContain("You don't have a project yet")
  })

  it('needs no name with --yes, and removes the link of the folder', async () => {
    const { project, env } = await linkedProject()
    const { output } = await cli.run(['delete', project.key, '--yes', '--json'], env)
    expect(JSON.parse(output)).toMatchObject({ id: project.id })
    await expect(access(join(cli.folder, '.slipway.json'))).rejects.toThrow('ENOENT')
  })
})

describe('slipway traffic', () => {
  it('shows the figures of a day and a week', async () => {
    const { env, visit } = await newSite()
    await cli.write({ 'index.html': 'mine' })
    await cli.run(['deploy'], env)
    await visit()
    await until(async () => {
      const { day, week } = JSON.parse((await cli.run(['traffic', '--json'], env)).output)
      return day.requests === 1 && week.requests === 1
    })
    const { output } = await cli.run(['traffic'], env)
    expect(output).toMatch(/^ +24 hours +7 days\nRequests +1 +1\nVisitors +0 +0\n/)
  })
})
