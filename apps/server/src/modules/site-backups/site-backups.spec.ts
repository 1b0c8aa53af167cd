import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjectActivity } from '@slipway/contract/activity'
import { day, hour, minute } from '@slipway/contract/limits'
import { deleteProject, type ProjectId } from '@slipway/contract/projects'
import {
  createSiteBackup,
  downloadSiteBackup,
  listSiteBackups,
  type SiteBackupId,
  siteBackupLimits,
} from '@slipway/contract/site-backups'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDecrypter, createKeyPair } from '../../backup/backup-key.ts'
import { ClusterUnreachableError, ContentTooLargeError } from '../../engines/hosting/engine.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { createClusters } from '../projects/moves/project-moves.fixture.ts'
import { projects } from '../projects/projects.schema.ts'
import { failLate, removeOfDeleted, run } from './run-backup.ts'
import { backUp, backupsOf, type Clusters, siteOf } from './site-backups.fixture.ts'
import { siteBackups } from './site-backups.schema.ts'
import { backUpBefore, requestDaily } from './site-backups.service.ts'
import * as store from './site-backups.store.ts'

let world: World
let owner: TestUser
let clusters: Clusters
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  owner = await world.user()
  clusters = createClusters()
})
afterAll(() => world.close())

/** The context of a worker with the sites of this test. */
const worker = (after?: number) => clusters.process(world.ctx, after)
const site = (overrides: Partial<Parameters<World['project']>[0]> = {}) =>
  siteOf(world, clusters, { teamId: owner.teamId, ...overrides })
const backups = (id: ProjectId) => backupsOf(owner, id)
const storedFiles = () =>
  readdir(join(world.env.DATA_DIR, 'site-backups')).catch((): string[] => [])
const unfinished = () =>
  readdir(join(world.env.DATA_DIR, 'artifacts/incoming')).catch((): string[] => [])

/** Makes all backups that are requested, those of other tests' projects included. */
async function runRequested() {
  const requested = await world.ctx.db
    .select({ id: siteBackups.id })
    .from(siteBackups)
    .where(eq(siteBackups.state, 'creating'))
  for (const { id } of requested) await run(worker(), id)
}

/** Requests the daily backups that are due, and makes them, until none is due. */
async function runDaily() {
  for (;;) {
    await requestDaily(worker())
    if ((await store.countDaily(world.ctx.db)) === 0) return
    await runRequested()
  }
}

describe(title(createSiteBackup), () => {
  it('copies the files of the running site, encrypted, and records who did it', async () => {
    const { id, key } = await site()
    const backupId = await backUp(world, clusters, owner, id)
    expect(clusters.effects).toEqual(['export local'])
    expect(clusters.find('local', key)?.isRunning).toBe(true)
    expect(await backups(id)).toEqual([
      {
        id: backupId,
        state: 'ready',
        cause: 'manual',
        failure: null,
        runtime: 'node',
        release: null,
        createdBy: { id: owner.id, name: owner.name },
        bytes: expect.any(Number),
        createdAt: world.clock.now().toISOString(),
        checkedAt: null,
      },
    ])
    expect(await storedFiles()).toContain(`slipway-site-${backupId}.gz.age`)
    expect(await unfinished()).toEqual([])
    const { items } = await owner.call(listProjectActivity, { params: { id }, query: {} })
    expect(items).toMatchObject([{ kind: 'backup_created', actor: { id: owner.id } }])
  })

  it('returns the same backup for a repeated request', async () => {
    const { id } = await site()
    const request = { params: { id }, idempotencyKey: 'once' }
    const [first, second] = await Promise.all([
      owner.call(createSiteBackup, request),
      owner.call(createSiteBackup, request),
    ])
    expect(second.id).toBe(first.id)
    expect(await backups(id)).toHaveLength(1)
  })

  it.each([
    ['a static site, whose releases have all files', { runtime: 'static' }],
    ['a Node project without a release', { artifact: null }],
  ] as const)('rejects %s', async (_name, overrides) => {
    const { id } = await site(overrides)
    await expect(owner.call(createSiteBackup, { params: { id } })).rejects.toMatchObject({
      code: 'backup_not_possible',
      context: 'no_content',
    })
  })

  it('copies the pages of a starter site', async () => {
    const { id } = await site({ runtime: 'starter', artifact: null })
    await backUp(world, clusters, owner, id)
    expect(await backups(id)).toMatchObject([{ state: 'ready', runtime: 'starter' }])
  })

  it('rejects a project that is being created, and a second backup at once', async () => {
    const { id: creating } = await site({ state: 'creating' })
    await expect(owner.call(createSiteBackup, { params: { id: creating } })).rejects.toMatchObject({
      code: 'backup_not_possible',
      context: 'not_ready',
    })
    const { id } = await site()
    await owner.call(createSiteBackup, { params: { id } })
    await expect(owner.call(createSiteBackup, { params: { id } })).rejects.toMatchObject({
      code: 'backup_not_possible',
      context: 'backup_in_progress',
    })
  })

  it('rejects more requests of a user than the limit', async () => {
    const { id } = await site()
    for (let count = 0; count < siteBackupLimits.requestsPerUser; count++)
      await backUp(world, clusters, owner, id)
    expect(await errorCodeOf(owner.call(createSiteBackup, { params: { id } }))).toBe(
      'too_many_requests',
    )
  })

  it.each([
    [new ContentTooLargeError(), 'too_large'],
    [new ClusterUnreachableError('away'), 'cluster_unreachable'],
    [Object.assign(new Error('full'), { code: 'ENOSPC' }), 'not_stored'],
    [new Error('broken'), 'engine_failed'],
  ] as const)('shows why a backup failed: %s', async (error, failure) => {
    const { id } = await site()
    clusters.failAt('export local', error)
    await backUp(world, clusters, owner, id)
    expect(await backups(id)).toMatchObject([{ state: 'failed', failure, bytes: null }])
    expect(await unfinished()).toEqual([])
  })

  it('fails when the store does not accept the file', async () => {
    const { id } = await site()
    const { id: backupId } = await owner.call(createSiteBackup, { params: { id } })
    await writeFile(join(world.env.DATA_DIR, 'a-file'), '')
    await world.ctx.write((tx) =>
      store.update(tx, backupId, { location: join(world.env.DATA_DIR, 'a-file') }),
    )
    await run(worker(), backupId)
    expect(await backups(id)).toMatchObject([{ state: 'failed', failure: 'not_stored' }])
  })

  it('makes the backup again after its worker was killed', async () => {
    const { id } = await site()
    const { id: backupId } = await owner.call(createSiteBackup, { params: { id } })
    // The queue repeats a job that fails.
    await expect(run(worker(1), backupId)).rejects.toThrow('killed')
    expect(await backups(id)).toMatchObject([{ state: 'creating' }])
    await run(worker(), backupId)
    expect(await backups(id)).toMatchObject([{ state: 'ready' }])
  })

  it('stores the backup although a killed process has left a part of its file', async () => {
    const { id } = await site()
    const { id: backupId } = await owner.call(createSiteBackup, { params: { id } })
    const folder = join(world.env.DATA_DIR, 'site-backups')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `slipway-site-${backupId}.gz.age.unfinished`), 'a part')
    await run(worker(), backupId)
    expect(await backups(id)).toMatchObject([{ state: 'ready' }])
  })

  it('stores no backup on a disk that is nearly full', async () => {
    const { id } = await site()
    const hasRoom = vi.spyOn(world.ctx.artifacts, 'hasRoom').mockResolvedValue(false)
    await backUp(world, clusters, owner, id)
    hasRoom.mockRestore()
    expect(await backups(id)).toMatchObject([{ state: 'failed', failure: 'not_stored' }])
  })

  it('fails the backup at its deadline if no worker made it', async () => {
    const { id } = await site()
    await owner.call(createSiteBackup, { params: { id } })
    world.clock.forward(siteBackupLimits.deadline)
    await failLate(worker())
    expect(await backups(id)).toMatchObject([{ state: 'failed', failure: 'not_finished' }])
  })
})

describe(title(downloadSiteBackup), () => {
  it('returns item_not_found when the file is missing', async () => {
    const { id } = await site()
    const backupId = await backUp(world, clusters, owner, id)
    await rm(join(world.env.DATA_DIR, 'site-backups', `slipway-site-${backupId}.gz.age`))
    expect(await errorCodeOf(owner.call(downloadSiteBackup, { params: { id, backupId } }))).toBe(
      'item_not_found',
    )
  })

  it('returns item_not_found while the backup is being made, and for another project', async () => {
    const { id } = await site()
    const { id: other } = await site()
    const { id: backupId } = await owner.call(createSiteBackup, { params: { id } })
    const codeFor = (projectId: ProjectId) =>
      errorCodeOf(owner.call(downloadSiteBackup, { params: { id: projectId, backupId } }))
    expect(await codeFor(id)).toBe('item_not_found')
    await run(worker(), backupId)
    expect(await codeFor(other)).toBe('item_not_found')
  })
})

describe(title(listSiteBackups), () => {
  it('has the newest first, in pages', async () => {
    const { id } = await site()
    const made: SiteBackupId[] = []
    for (let count = 0; count < 3; count++) {
      made.unshift(await backUp(world, clusters, owner, id))
      world.clock.forward(minute)
    }
    const page = (number: string) =>
      owner.call(listSiteBackups, { params: { id }, query: { page: number, perPage: '2' } })
    const [first, second] = [await page('1'), await page('2')]
    expect([...first.items, ...second.items].map((backup) => backup.id)).toEqual(made)
    expect(first).toMatchObject({ totalPages: 2, hasContent: true, restore: null })
  })
})

describe('the daily backup', () => {
  it('is made a day after the creation, and then a day after the last one', async () => {
    const { id } = await site()
    await runDaily()
    expect(await backups(id)).toEqual([])
    world.clock.forward(day)
    await runDaily()
    expect(await backups(id)).toMatchObject([{ cause: 'daily', state: 'ready', createdBy: null }])
    world.clock.forward(day - minute)
    await runDaily()
    expect(await backups(id)).toHaveLength(1)
  })

  it('is not stored again while the files are the same', async () => {
    const { id, key } = await site()
    world.clock.forward(day)
    await runDaily()
    const [first] = await backups(id)
    world.clock.forward(day)
    await runDaily()
    const checkedAt = world.clock.now().toISOString()
    expect(await backups(id)).toEqual([{ ...first, checkedAt }])

    const changed = clusters.find('local', key)
    if (changed) changed.files = { 'data.db': 'more rows' }
    world.clock.forward(day)
    await runDaily()
    expect(await backups(id)).toHaveLength(2)
  })

  it('is stored again when the earlier file is missing', async () => {
    const { id } = await site()
    world.clock.forward(day)
    await runDaily()
    await rm(join(world.env.DATA_DIR, 'site-backups'), { recursive: true })
    world.clock.forward(day)
    await runDaily()
    expect(await backups(id)).toHaveLength(2)
  })

  it('waits while many others are made', async () => {
    await runRequested()
    const sites = [...Array(25)].map(() => site())
    const ids = (await Promise.all(sites)).map(({ id }) => id)
    world.clock.forward(day)
    await requestDaily(worker())
    await requestDaily(worker())
    expect(await store.countDaily(world.ctx.db)).toBe(20)
    await runDaily()
    for (const id of ids) expect(await backups(id)).toMatchObject([{ state: 'ready' }])
  })

  it('is not made of a container without a data folder', async () => {
    const { id } = await site({ runtime: 'image', artifact: '2'.repeat(64) })
    world.clock.forward(day)
    await runDaily()
    expect(await backups(id)).toEqual([])
  })

  it('is tried again an hour after a failure', async () => {
    const { id } = await site()
    clusters.failAt('export local', new Error('broken'))
    world.clock.forward(day)
    await runDaily()
    expect(await backups(id)).toMatchObject([{ state: 'failed' }])
    clusters.failAt('export local', null)
    world.clock.forward(hour - minute)
    await runDaily()
    expect(await backups(id)).toHaveLength(1)
    world.clock.forward(minute)
    await runDaily()
    expect(await backups(id)).toMatchObject([{ state: 'ready' }])
  })
})

describe('the backup before a release', () => {
  it('is made of a site that writes files', async () => {
    const { id } = await site()
    expect(await backUpBefore(worker(), id, 'release')).toBe(true)
    expect(await backups(id)).toMatchObject([{ cause: 'release', state: 'ready' }])
  })

  it('reports a failure, and is not made of a site without files', async () => {
    const { id } = await site()
    const { id: staticId } = await site({ runtime: 'static' })
    clusters.failAt('export local', new Error('broken'))
    expect(await backUpBefore(worker(), id, 'release')).toBe(false)
    expect(await backUpBefore(worker(), staticId, 'release')).toBeNull()
  })
})

describe('old backups', () => {
  it('are removed with their files, and not listed while that fails', async () => {
    const { id } = await site()
    const made: SiteBackupId[] = []
    for (let count = 0; count < 12; count++) {
      world.clock.forward(minute)
      made.push(await backUp(world, clusters, owner, id))
    }
    const listed = (await backups(id)).map((backup) => backup.id)
    expect(listed).toEqual(made.slice(2).reverse())
    expect(await storedFiles()).not.toContain(`slipway-site-${made[0]}.gz.age`)

    // A folder in the place of the file: it cannot be removed as one.
    const file = join(world.env.DATA_DIR, 'site-backups', `slipway-site-${made[2]}.gz.age`)
    await rm(file)
    await mkdir(file)
    world.clock.forward(minute)
    await backUp(world, clusters, owner, id)
    expect((await backups(id)).map((backup) => backup.id)).not.toContain(made[2])
    await rm(file, { recursive: true })
    world.clock.forward(minute)
    await backUp(world, clusters, owner, id)
    expect(await store.find(world.ctx.db, made[2] as SiteBackupId)).toBeUndefined()
  })
})

describe('the backups of a deleted project', () => {
  it('are removed with their files', async () => {
    const { id, key } = await site()
    const backupId = await backUp(world, clusters, owner, id)
    await owner.call(deleteProject, { params: { id } })
    await world.ctx.db
      .update(projects)
      .set({ state: 'deleted', appliedGeneration: 0 })
      .where(eq(projects.key, key))
    await removeOfDeleted(worker())
    expect(await store.listRemovable(world.ctx.db, id)).toEqual([])
    expect(await storedFiles()).not.toContain(`slipway-site-${backupId}.gz.age`)
  })
})

describe('the backups of many deleted projects', () => {
  it('are removed, also after those whose files cannot be removed', async () => {
    const made = [await site(), await site()]
    const all: { id: ProjectId; file: string }[] = []
    for (const { id } of made) {
      const backupId = await backUp(world, clusters, owner, id)
      const file = join(world.env.DATA_DIR, 'site-backups', `slipway-site-${backupId}.gz.age`)
      all.push({ id, file })
      await owner.call(deleteProject, { params: { id } })
      await world.ctx.db
        .update(projects)
        .set({ state: 'deleted', appliedGeneration: 0 })
        .where(eq(projects.id, id))
    }
    const [stuck, other] = all.sort((one, two) => (one.id < two.id ? -1 : 1))
    if (!stuck || !other) throw new Error('no projects')
    // A folder in the place of the file: it cannot be removed as one.
    await rm(stuck.file)
    await mkdir(stuck.file)
    await removeOfDeleted(worker(), 1)
    expect(await store.listRemovable(world.ctx.db, stuck.id)).toHaveLength(1)
    expect(await store.listRemovable(world.ctx.db, other.id)).toEqual([])
    await rm(stuck.file, { recursive: true })
  })
})

describe('a backup with BACKUP_URL', () => {
  it('is stored in that folder, and opens with the key of the operators', async () => {
    const { identity, recipient } = await createKeyPair()
    const folder = join(world.env.DATA_DIR, 'nightly')
    const env = { ...world.env, BACKUP_URL: folder, BACKUP_KEY: recipient }
    const { id } = await site()
    const before = await backUpBefore({ ...worker(), env }, id, 'release')
    expect(before).toBe(true)
    const [name = ''] = await readdir(join(folder, 'site-backups'))
    const decrypter = createDecrypter(identity)
    const plain = await decrypter.decrypt(
      await readFile(join(folder, 'site-backups', name)),
      'text',
    )
    expect(JSON.parse(plain)).toEqual({ 'index.html': 'home', 'data.db': 'rows' })
  })
})
