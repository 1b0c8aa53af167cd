import { existsSync } from 'node:fs'
import { day } from '@slipway/contract/limits'
import { createProject, type ProjectId } from '@slipway/contract/projects'
import { listReleases, updateVersion } from '@slipway/contract/releases'
import { addRuntimeVersion, listRuntimes, listRuntimeVersions } from '@slipway/contract/runtimes'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ArchiveFiles } from '../../testing/archives.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { archiveFile, prepare } from '../release-archives/release-archives.service.ts'
import { removeUnused } from '../releases/releases.deploy.ts'
import { offerAllRuntimes } from '../runtimes/runtimes.fixture.ts'
import {
  insertVersion,
  wordPressArchive,
  wordPressFiles,
  zipBlob,
} from './runtime-versions.fixture.ts'
import { runtimeVersions } from './runtime-versions.schema.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com' })
})
beforeEach(() => world.ctx.db.delete(runtimeVersions))
afterAll(() => world.close())

const params = { runtime: 'wordpress' } as const
const add = (body: Blob) => operator.call(addRuntimeVersion, { params, body })
const versions = async () =>
  (await operator.call(listRuntimeVersions)).map(({ version }) => version)

describe(title(addRuntimeVersion), () => {
  it('stores a version by the digest of its archive', async () => {
    const added = await add(wordPressArchive('6.1.9'))
    expect(added).toMatchObject({ runtime: 'wordpress', version: '6.1.9' })
    expect(added.digest).toMatch(/^[0-9a-f]{64}$/)
    expect(await operator.call(listRuntimeVersions)).toEqual([added])
  })

  it('stores a repeated archive once, and makes its version the newest', async () => {
    await add(wordPressArchive('6.1.9'))
    world.clock.forward(1_000)
    await add(wordPressArchive('6.5.0'))
    expect(await versions()).toEqual(['6.5.0', '6.1.9'])
    world.clock.forward(1_000)
    await add(wordPressArchive('6.1.9'))
    expect(await versions()).toEqual(['6.1.9', '6.5.0'])
  })

  it('concurrent uploads of one archive wait for each other', async () => {
    const added = await Promise.all([1, 2, 3].map(() => add(wordPressArchive('6.1.9'))))
    expect(new Set(added.map(({ digest }) => digest)).size).toBe(1)
    expect(await versions()).toEqual(['6.1.9'])
  })

  const without = (path: string): ArchiveFiles =>
    Object.fromEntries(
      Object.entries(wordPressFiles('6.1.9')).filter(([name]) => !name.endsWith(path)),
    )

  it.each([
    ['is not WordPress', { 'index.html': 'x' }],
    ['has no version', without('version.php')],
    ['has no SQLite integration', without('sqlite/db.php')],
    ['has no theme', without('style.css')],
  ])('rejects an archive that %s', async (_what, files: ArchiveFiles) => {
    expect(await errorCodeOf(add(zipBlob(files)))).toBe('runtime_version_invalid')
    expect(await versions()).toEqual([])
  })

  it('rejects a request without a body', async () => {
    const response = await world.app.server.app.inject({
      method: 'POST',
      url: '/api/operator/runtime/create/wordpress',
      headers: { authorization: `Bearer ${operator.token}` },
    })
    expect([response.statusCode, response.json().error]).toEqual([400, 'malformed_request'])
  })

  it('rejects a damaged archive', async () => {
    const damaged = new Blob([Buffer.from('PK\u0003\u0004 and no more')], {
      type: 'application/zip',
    })
    expect(await errorCodeOf(add(damaged))).toBe('runtime_version_invalid')
  })

  it('keeps the files of a version, which no release has', async () => {
    const { digest } = await add(wordPressArchive('6.1.9'))
    world.clock.forward(2 * day)
    await removeUnused(world.ctx)
    expect(await world.ctx.artifacts.list()).toContain(digest)
    await world.ctx.db.delete(runtimeVersions).where(eq(runtimeVersions.artifact, digest))
    await removeUnused(world.ctx)
    expect(await world.ctx.artifacts.list()).not.toContain(digest)
  })

  it('keeps the packed files of a version, which the pods of its projects fetch', async () => {
    const { digest } = await add(wordPressArchive('6.1.9'))
    await prepare(world.ctx, digest)
    await removeUnused(world.ctx)
    expect(existsSync(archiveFile(world.ctx, digest))).toBe(true)
  })
})

describe(title(listRuntimeVersions), () => {
  it('lists the versions, the newest first', async () => {
    expect(await operator.call(listRuntimeVersions)).toEqual([])
    for (const version of ['6.5.0', '6.1.9']) {
      await insertVersion(world, version)
      world.clock.forward(1_000)
    }
    expect(await operator.call(listRuntimeVersions)).toMatchObject([
      { runtime: 'wordpress', version: '6.1.9' },
      { runtime: 'wordpress', version: '6.5.0' },
    ])
  })
})

describe(title(listRuntimes), () => {
  const wordPress = async (user: TestUser) =>
    (await user.call(listRuntimes, { query: { regionId: 'eu' } })).find(
      ({ id }) => id === 'wordpress',
    )

  it('offers no WordPress before an operator has added a version, and tells operators why', async () => {
    const unavailable = { available: false, version: null }
    expect(await wordPress(operator)).toMatchObject({
      ...unavailable,
      reason: expect.not.stringContaining('Not available'),
    })
    expect(await wordPress(await world.user())).toMatchObject({
      ...unavailable,
      reason: 'Not available here yet.',
    })
  })
})

describe(title(createProject), () => {
  it('sets no version for a runtime whose files users upload', async () => {
    const { id } = await operator.call(createProject, {
      body: {
        name: 'Blog',
        teamId: operator.teamId,
        regionId: 'eu',
        domain: null,
        runtime: 'static',
      },
    })
    const [row] = await world.ctx.db.select().from(projects).where(eq(projects.id, id))
    expect(row?.artifact).toBeNull()
  })
})

describe(title(updateVersion), () => {
  beforeEach(() => offerAllRuntimes(world))
  afterEach(() => vi.restoreAllMocks())

  const wordPress = (artifact: string | null) =>
    world.project({ teamId: operator.teamId, runtime: 'wordpress', artifact })
  const releasesOf = (id: ProjectId) => operator.call(listReleases, { params: { id }, query: {} })

  it('is possible for a project whose version is not the newest', async () => {
    const old = await insertVersion(world, '6.1.9')
    const { id } = await wordPress(old)
    expect((await releasesOf(id)).version).toEqual({ current: '6.1.9', update: null })
    world.clock.forward(1_000)
    await insertVersion(world, '6.5.0')
    expect((await releasesOf(id)).version).toEqual({ current: '6.1.9', update: '6.5.0' })
    const { id: staticId } = await world.project({ teamId: operator.teamId, runtime: 'static' })
    expect((await releasesOf(staticId)).version).toBeNull()
  })

  it('makes a new release of the newest version, and keeps that of the previous one', async () => {
    const { id } = await wordPress(await insertVersion(world, '6.1.9'))
    world.clock.forward(1_000)
    await insertVersion(world, '6.5.0')
    await operator.call(updateVersion, { params: { id } })
    const { items } = await releasesOf(id)
    expect(items).toMatchObject([
      { number: 2, state: 'checking', source: 'version', runtime: 'wordpress' },
      { number: 1, state: 'live', source: 'version', runtime: 'wordpress' },
    ])
  })

  it('makes one release of a repeated request', async () => {
    await insertVersion(world, '6.1.9')
    const { id } = await wordPress(null)
    const request = { params: { id }, idempotencyKey: 'once' }
    const first = await operator.call(updateVersion, request)
    expect(await operator.call(updateVersion, request)).toEqual(first)
  })

  it('makes one release of concurrent requests with different idempotency keys', async () => {
    const { id } = await wordPress(await insertVersion(world, '6.1.9'))
    world.clock.forward(1_000)
    await insertVersion(world, '6.5.0')
    const outcomes = await Promise.all(
      ['first', 'second', 'third'].map((idempotencyKey) =>
        outcome(operator.call(updateVersion, { params: { id }, idempotencyKey })),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['ok', 'release_in_progress', 'release_in_progress'])
    expect((await releasesOf(id)).items).toMatchObject([
      { number: 2, state: 'checking' },
      { number: 1, state: 'live' },
    ])
  })

  it('rejects a project that runs the newest version', async () => {
    const { id } = await wordPress(await insertVersion(world, '6.1.9'))
    expect(await errorCodeOf(operator.call(updateVersion, { params: { id } }))).toBe(
      'release_already_live',
    )
    expect((await releasesOf(id)).items).toEqual([])
  })

  it('rejects a project whose runtime has no versions', async () => {
    const { id } = await world.project({ teamId: operator.teamId, runtime: 'static' })
    expect(await errorCodeOf(operator.call(updateVersion, { params: { id } }))).toBe(
      'runtime_not_available',
    )
  })
})
