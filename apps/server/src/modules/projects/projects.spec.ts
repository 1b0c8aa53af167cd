import { day, hour } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  deleteProject,
  listProjects,
  type ProjectState,
  projectStates,
  renameProject,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'

let world: World
let owner: TestUser
beforeAll(async () => {
  world = await createWorld()
  owner = await world.user({ name: 'Example Owner' })
})
afterAll(() => world.close())

const form = (overrides: object = {}) => ({
  body: { name: 'My site', teamId: owner.teamId, regionId: 'eu', ...overrides },
})

describe(title(createProject), () => {
  it('stores a pending project with a key made from its name', async () => {
    const project = await owner.call(createProject, form({ name: '  Gümüş Kaşık & Oğulları  ' }))
    expect(project).toMatchObject({
      name: 'Gümüş Kaşık & Oğulları',
      state: 'pending',
      domain: null,
      failure: null,
      controllerDomain: 'gateway-eu.localhost',
      sitePorts: { http: world.env.SITES_PORT, https: 443 },
      defaultUrl: `http://${project.key}.localhost:${world.env.SITES_PORT}`,
    })
    expect(project.key).toMatch(/^gumus-kasik-ogullari-[a-z0-9]{6}$/)
  })

  it('rejects a runtime that this machine cannot run', async () => {
    const call = owner.call(createProject, form({ runtime: 'image' }))
    expect(await errorCodeOf(call)).toBe('runtime_not_available')
  })

  it('makes a DNS label from any name', async () => {
    for (const name of ['京都案内', 'x'.repeat(100), '---', 'A  B', 'ÇĞİÖŞÜ çğıöşü'])
      expect(
        (await world.user().then(({ call, teamId }) => call(createProject, form({ name, teamId }))))
          .key,
      ).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/)
  })

  it('creates exactly as many projects as the limit allows when twenty requests run at once', async () => {
    const { call, teamId } = await world.user()
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        call(createProject, form({ name: `Site ${index}`, teamId })),
      ),
    )
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(10)
    const codes = attempts.flatMap((attempt) =>
      attempt.status === 'rejected' ? [attempt.reason.code] : [],
    )
    expect(new Set(codes)).toEqual(new Set(['project_limit_reached']))
    expect(await call(listProjects)).toHaveLength(10)
  })

  it('counts only undeleted projects', async () => {
    const { call, teamId } = await world.user()
    for (let number = 0; number < 9; number++) await world.project({ teamId })
    await world.project({ teamId, state: 'deleted' })
    await call(createProject, form({ teamId }))
    expect(await errorCodeOf(call(createProject, form({ teamId })))).toBe('project_limit_reached')
  })

  it('gives a domain to one of two concurrent requests', async () => {
    const otherUser = await world.user()
    const domain = 'shop.example.com'
    const attempts = await Promise.allSettled([
      owner.call(createProject, form({ domain })),
      otherUser.call(createProject, form({ domain, teamId: otherUser.teamId })),
    ])
    expect(attempts.map((attempt) => attempt.status).sort()).toEqual(['fulfilled', 'rejected'])
    const loser = attempts.find((attempt) => attempt.status === 'rejected')
    expect(loser?.reason.code).toBe('domain_in_use')
  })

  it('rejects IP addresses, domains of the service, and anything but a bare host name', async () => {
    const message = 'Please enter a valid domain or leave empty (do not specify scheme like https)'
    for (const domain of [
      'https://example.com',
      'example.com/path',
      'example.com:8080',
      'user@example.com',
      '10.0.0.1',
      '[::1]',
      '0x7f.1',
      'exa mple.com',
      'example',
      `${'a'.repeat(64)}.com`,
      '-a.com',
    ])
      expect((await errorOf(owner.call(createProject, form({ domain })))).fields, domain).toEqual({
        domain: message,
      })
    for (const domain of ['app.localhost', 'gateway-eu.localhost'])
      expect((await errorOf(owner.call(createProject, form({ domain })))).fields.domain).toContain(
        'is reserved by the service',
      )
  })

  it('treats an empty domain as none and lowercases a domain', async () => {
    expect((await owner.call(createProject, form({ domain: '  ' }))).domain).toBeNull()
    const { domain } = await owner.call(createProject, form({ domain: ' WWW.Example.ORG. ' }))
    expect(domain).toBe('www.example.org')
    expect(await owner.call(createProject, form({ domain: 'köy.example.org' }))).toMatchObject({
      domain: 'xn--ky-fka.example.org',
      displayDomain: 'köy.example.org',
    })
  })

  it('reports the error of every field', async () => {
    const wrong = { body: { name: ' ab ', teamId: '', regionId: '', domain: 7 } as never }
    expect((await errorOf(owner.call(createProject, wrong))).fields).toEqual({
      name: 'Please enter a name',
      teamId: 'Please select a team',
      regionId: 'Please select a region',
      domain: 'Please enter a valid domain or leave empty (do not specify scheme like https)',
    })
  })

  it('does not find unknown regions and teams, nor malformed ids', async () => {
    const { call } = await world.user()
    expect(await errorCodeOf(call(createProject, form()))).toBe('team_not_found')
    expect(await errorCodeOf(owner.call(createProject, form({ teamId: 'no-uuid' })))).toBe(
      'team_not_found',
    )
    expect(await errorCodeOf(owner.call(createProject, form({ regionId: 'mars' })))).toBe(
      'region_not_found',
    )
  })
})

describe(title(listProjects), () => {
  it('lists the projects of every team of the user, newest first', async () => {
    const firstUser = await world.user()
    const secondUser = await world.user()
    await world.join(secondUser, firstUser.teamId)
    const older = await world.project({ teamId: firstUser.teamId })
    world.clock.forward(1000)
    const newer = await world.project({ teamId: secondUser.teamId })
    expect((await secondUser.call(listProjects)).map(({ id }) => id)).toEqual([newer.id, older.id])
    expect((await firstUser.call(listProjects)).map(({ id }) => id)).toEqual([older.id])
  })

  it('says which projects have a site: a release is live, or the software needs none', async () => {
    const { call, teamId } = await world.user()
    await world.project({ teamId, runtime: 'starter' })
    await world.project({ teamId, runtime: 'node', artifact: 'a'.repeat(64) })
    const { id } = await world.project({ teamId, runtime: 'node' })
    const withoutSite = (await call(listProjects)).filter(({ hasSite }) => !hasSite)
    expect(withoutSite.map((project) => project.id)).toEqual([id])
  })

  it('shows a deleted project for 24 hours', async () => {
    const { call, teamId } = await world.user()
    const { key } = await world.project({ teamId, state: 'deleted' })
    world.clock.forward(day - hour)
    expect(await call(listProjects)).toHaveLength(1)
    world.clock.forward(hour)
    expect(await call(listProjects)).toEqual([])
    expect((await call(viewProject, { params: { key } })).state).toBe('deleted')
  })
})

describe(title(viewProject), () => {
  it('returns the project with its metadata', async () => {
    const metadata = [{ key: 'cms_version', value: 'Example 1' }]
    const project = await world.project({ teamId: owner.teamId, metadata })
    const detail = await owner.call(viewProject, { params: { key: project.key } })
    expect(detail.metadata).toEqual([
      ...metadata,
      { key: 'region', value: 'Europe' },
      { key: 'engine', value: 'local' },
    ])
    expect(detail).not.toHaveProperty('generation')
  })

  it('does not find an unknown or malformed key', async () => {
    for (const key of ['nothing-bcdfgh', '../etc', "' or 1=1", '%00'])
      expect(await errorCodeOf(owner.call(viewProject, { params: { key } })), key).toBe(
        'project_not_found',
      )
  })
})

describe(title(renameProject), () => {
  it('renames the project and keeps its state and key', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    const renamed = await owner.call(renameProject, {
      params: { id },
      body: { name: ' New name ' },
    })
    expect(renamed).toMatchObject({ id, key, name: 'New name', state: 'ready' })
  })

  it('rejects a short name, a deleted project and a malformed id', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const short = owner.call(renameProject, { params: { id }, body: { name: ' ab ' } })
    expect((await errorOf(short)).fields).toEqual({ name: 'Please enter a name' })
    for (const state of ['deleting', 'deleted'] as const) {
      const deletedProject = await world.project({ teamId: owner.teamId, state })
      const call = owner.call(renameProject, {
        params: { id: deletedProject.id },
        body: { name: 'New name' },
      })
      expect(await errorCodeOf(call)).toBe('cannot_update_deleted_project')
    }
    const malformed = owner.call(renameProject, {
      params: { id: '17' },
      body: { name: 'New name' },
    })
    expect(await errorCodeOf(malformed)).toBe('project_not_found')
  })
})

describe(title(changeProjectDomain), () => {
  const after: Partial<Record<ProjectState, ProjectState>> = {
    pending: 'pending',
    creating: 'creating',
    failed_creating: 'failed_creating',
    ready: 'modifying',
    modifying: 'modifying',
  }
  it.each(Object.entries(after))(
    'accepts a change while %s, and the project is then %s',
    async (state, next) => {
      const { id } = await world.project({ teamId: owner.teamId, state: state as ProjectState })
      const domain = `${state.replace('_', '-')}.example.net`
      const changed = await owner.call(changeProjectDomain, { params: { id }, body: { domain } })
      expect(changed).toMatchObject({ domain, state: next })
      const cleared = await owner.call(changeProjectDomain, {
        params: { id },
        body: { domain: '' },
      })
      expect(cleared.domain).toBeNull()
    },
  )

  it('changes nothing when the domain is the same', async () => {
    const { id } = await world.project({ teamId: owner.teamId, domain: 'same.example.net' })
    const unchanged = { params: { id }, body: { domain: 'same.example.net' } }
    expect((await owner.call(changeProjectDomain, unchanged)).state).toBe('ready')
  })

  it('frees a domain once its project is deleted, not before', async () => {
    const domain = 'freed.example.net'
    const first = await world.project({ teamId: owner.teamId, domain })
    const { id } = await world.project({ teamId: owner.teamId })
    const change = { params: { id }, body: { domain } }
    expect(await errorCodeOf(owner.call(changeProjectDomain, change))).toBe('domain_in_use')
    await owner.call(deleteProject, { params: { id: first.id } })
    expect((await owner.call(changeProjectDomain, change)).domain).toBe(domain)
  })
})

describe(title(deleteProject), () => {
  it('is accepted in every state except deleting and deleted', async () => {
    const { call, teamId } = await world.user()
    for (const state of projectStates) {
      const { id } = await world.project({ teamId, state })
      const deletion = call(deleteProject, { params: { id } })
      if (state === 'deleting' || state === 'deleted')
        expect(await errorCodeOf(deletion), state).toBe('already_deleted')
      else expect((await deletion).state, state).toBe('deleting')
    }
  })

  it('deletes once when two requests run at once', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const attempts = await Promise.allSettled([
      owner.call(deleteProject, { params: { id } }),
      owner.call(deleteProject, { params: { id } }),
    ])
    expect(attempts.map((attempt) => attempt.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe(title(retryProject), () => {
  it('makes a failed project pending, and keeps any other unchanged', async () => {
    const failed = await world.project({
      teamId: owner.teamId,
      state: 'failed_creating',
      failure: 'site_not_answering',
    })
    const retried = await owner.call(retryProject, { params: { id: failed.id } })
    expect(retried).toMatchObject({ state: 'pending', failure: null })
    const { id } = await world.project({ teamId: owner.teamId })
    expect((await owner.call(retryProject, { params: { id } })).state).toBe('ready')
  })
})
