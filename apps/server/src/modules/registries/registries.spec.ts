import { listTeamActivity } from '@slipway/contract/activity'
import { limits } from '@slipway/contract/limits'
import {
  deleteRegistry,
  listRegistries,
  registryOf,
  setRegistry,
} from '@slipway/contract/registries'
import { serviceLimits } from '@slipway/contract/service-limits'
import { removeFromTeam } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import * as containerImages from '../container-images/container-images.service.ts'
import { projects } from '../projects/projects.schema.ts'
import * as projectsService from '../projects/projects.service.ts'
import { registries } from './registries.schema.ts'
import { passwordColumn } from './registries.sealed.ts'
import { recordUse } from './registries.service.ts'

const secret = 'do-not-tell-anyone-8'
const credentials = { host: 'ghcr.io', username: 'acme', password: secret }

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

async function newScene() {
  const owner = await world.user()
  const { call, teamId } = owner
  const params = { id: teamId }
  const set = (changes: Partial<typeof credentials> = {}) =>
    call(setRegistry, { params, body: { ...credentials, ...changes } })
  const list = () => call(listRegistries, { params })
  async function runImage(reference: string) {
    const image = { reference, port: 80, healthPath: '/', userId: 1000, dataPath: null }
    const artifact = await world.ctx.write((tx) => containerImages.save(world.ctx, tx, image))
    return world.project({ teamId, runtime: 'image', artifact })
  }
  const generationOf = async (id: Awaited<ReturnType<typeof runImage>>['id']) =>
    (await world.ctx.db.select().from(projects).where(eq(projects.id, id)))[0]?.generation
  return { owner, call, teamId, params, set, list, runImage, generationOf }
}

const digest = `@sha256:${'1'.repeat(64)}`

describe('the registry of an image', () => {
  it.each([
    [`ghcr.io/acme/shop${digest}`, 'ghcr.io'],
    [`registry.example:5000/shop${digest}`, 'registry.example:5000'],
    [`localhost/shop${digest}`, 'localhost'],
    [`index.docker.io/acme/shop${digest}`, 'docker.io'],
    [`acme/shop${digest}`, 'docker.io'],
    [`nginx${digest}`, 'docker.io'],
  ])('of %s is %s', (reference, host) => {
    expect(registryOf(reference)).toBe(host)
  })
})

describe(title(setRegistry), () => {
  it('sets credentials and replaces them by host', async () => {
    const { owner, set, list } = await newScene()
    const first = await set({ host: ' https://GHCR.io/v2/ ' })
    expect(first).toEqual({
      id: first.id,
      host: 'ghcr.io',
      username: 'acme',
      setBy: { id: owner.id, name: owner.name },
      setAt: world.clock.now().toISOString(),
      lastUsedAt: null,
    })
    await set({ host: 'docker.io', username: 'other' })
    const replaced = await set({ username: 'robot' })
    expect((await list()).map(({ host, username }) => [host, username])).toEqual([
      ['docker.io', 'other'],
      ['ghcr.io', 'robot'],
    ])
    expect(replaced.id).not.toBe(first.id)
  })

  it('seals the password, and no response, activity or log has it', async () => {
    const { call, teamId, params, set, list } = await newScene()
    const response = await set()
    await errorCodeOf(set({ host: 'not a host' }))
    const activity = await call(listTeamActivity, { params, query: {} })
    expect(activity.items[0]).toMatchObject({ kind: 'registry_set', subject: 'ghcr.io' })
    const rows = await world.ctx.db.select().from(registries).where(eq(registries.teamId, teamId))
    expect(rows[0]?.sealed).toMatch(new RegExp(`^${world.ctx.sealing.currentPrefix()}`))
    for (const text of [
      JSON.stringify([response, rows, activity, await list()]),
      world.logged.join(''),
    ])
      expect(text).not.toContain(secret)
    expect(await passwordColumn.reseal(world.ctx.db, world.ctx.sealing)).toBe(0)
  })

  it('brings the password to the sites of its registry, and leaves the others alone', async () => {
    const { set, runImage, generationOf } = await newScene()
    const reference = `ghcr.io/acme/shop${digest}`
    const pulled = await runImage(reference)
    const otherImage = await runImage(`docker.io/acme/shop${digest}`)
    await set()
    expect(await generationOf(pulled.id)).toBe(2)
    expect(await generationOf(otherImage.id)).toBe(1)
    const registryOfProject = async (id: typeof pulled.id, artifact = pulled.artifact ?? '') =>
      (await projectsService.instanceWith(world.ctx, id, { runtime: 'image', artifact }))?.registry
    expect(await registryOfProject(pulled.id)).toEqual(credentials)
    expect(await registryOfProject(otherImage.id, otherImage.artifact ?? '')).toBeNull()
    // Another team has no credentials.
    const stranger = await newScene()
    const { id } = await world.project({ teamId: stranger.teamId })
    expect(await registryOfProject(id)).toBeNull()
  })

  it('rejects hosts, names and passwords that no registry has', async () => {
    const { set, list } = await newScene()
    const fields = async (changes: Partial<typeof credentials>) =>
      Object.keys((await errorOf(set(changes))).fields)
    for (const host of [
      '',
      'acme',
      'a b.io',
      '*.io',
      'ghcr.io:x',
      '-a.io',
      `${'a'.repeat(260)}.io`,
    ])
      expect(await fields({ host }), host).toEqual(['host'])
    for (const username of ['', ' ', 'a:b', 'a\u0000', 'x'.repeat(limits.registryUsernameMax + 1)])
      expect(await fields({ username }), username).toEqual(['username'])
    for (const password of ['', 'a\u0000', 'x'.repeat(limits.registryPasswordMax + 1)])
      expect(await fields({ password })).toEqual(['password'])
    expect(await list()).toEqual([])
    await set({ password: `{\n"key": "ğ"\n}` })
  })

  it('limits the registries of a team, also of concurrent requests', async () => {
    const { set, list } = await newScene()
    for (let index = 1; index < serviceLimits.registriesPerTeam; index++)
      await set({ host: `r${index}.example` })
    const results = await Promise.allSettled(
      ['a.example', 'b.example', 'c.example'].map((host) => set({ host })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await list()).toHaveLength(serviceLimits.registriesPerTeam)
    expect(await errorCodeOf(set({ host: 'd.example' }))).toBe('registry_limit_reached')
    await set({ host: 'r1.example', username: 'replaced' })
  })

  it('stores one row of concurrent requests for one host', async () => {
    const { set, list } = await newScene()
    await Promise.all(['a', 'b', 'c'].map((username) => set({ username })))
    expect(await list()).toHaveLength(1)
  })
})

describe(title(listRegistries), () => {
  it('shows who set a password, also after they left, and the last use', async () => {
    const { owner, teamId, set, list } = await newScene()
    await set()
    const member = await world.user()
    await world.join(member, teamId)
    await world.ctx.write((tx) => recordUse(world.ctx, tx, teamId, `ghcr.io/acme/shop${digest}`))
    const shown = await member.call(listRegistries, { params: { id: teamId } })
    expect(shown).toEqual(await list())
    expect(shown).toMatchObject([
      { setBy: { id: owner.id }, lastUsedAt: world.clock.now().toISOString() },
    ])
    const removal = { params: { teamId }, query: { userId: member.id } }
    await owner.call(removeFromTeam, removal)
    const rejected = member.call(listRegistries, { params: { id: teamId } })
    expect(await errorCodeOf(rejected)).toBe('team_not_found')
  })
})

describe(title(deleteRegistry), () => {
  it('deletes credentials once, and tells the sites of the registry', async () => {
    const { call, params, set, list, runImage, generationOf } = await newScene()
    const { id } = await runImage(`ghcr.io/acme/shop${digest}`)
    const { id: registryId } = await set()
    await call(deleteRegistry, { params: { ...params, registryId } })
    expect(await list()).toEqual([])
    expect(await generationOf(id)).toBe(3)
    const secondDelete = call(deleteRegistry, { params: { ...params, registryId } })
    expect(await errorCodeOf(secondDelete)).toBe('item_not_found')
    expect(await generationOf(id)).toBe(3)
  })
})
