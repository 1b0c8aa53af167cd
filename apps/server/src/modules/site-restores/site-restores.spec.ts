import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjectActivity } from '@slipway/contract/activity'
import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import { minute } from '@slipway/contract/limits'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import {
  changeProjectPower,
  deleteProject,
  type ProjectId,
  retryProject,
} from '@slipway/contract/projects'
import { listReleases } from '@slipway/contract/releases'
import {
  createSiteBackup,
  listSiteBackups,
  restoreSiteBackup,
  type SiteBackupId,
  siteBackupLimits,
} from '@slipway/contract/site-backups'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CapacityError, ClusterUnreachableError } from '../../engines/hosting/engine.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { createClusters } from '../projects/moves/project-moves.fixture.ts'
import { isPaused, listPaused } from '../projects/pauses/pauses.store.ts'
import * as projectStore from '../projects/projects.store.ts'
import { settle } from '../projects/reconciler/reconciler.fixture.ts'
import { deployLock } from '../releases/releases.service.ts'
import { insert as insertRelease } from '../releases/releases.store.ts'
import { offerAllRuntimes } from '../runtimes/runtimes.fixture.ts'
import { removeOfDeleted } from '../site-backups/run-backup.ts'
import { backUp, type Clusters, files, siteOf } from '../site-backups/site-backups.fixture.ts'
import { runRestore } from './run-restore.ts'
import * as store from './site-restores.store.ts'

const times = { drainMs: 0 }
const laterFiles = { 'data.db': 'changed rows' }

let world: World
let owner: TestUser
let clusters: Clusters
beforeAll(async () => {
  world = await createWorld()
  offerAllRuntimes(world)
})
beforeEach(async () => {
  owner = await world.user()
  clusters = createClusters()
})
afterAll(() => world.close())

const worker = (after?: number) => clusters.process(world.ctx, after)

/** A site that has changed since its backup. */
async function changedSite(overrides: Partial<Parameters<World['project']>[0]> = {}) {
  const project = await siteOf(world, clusters, { teamId: owner.teamId, ...overrides })
  const backupId = await backUp(world, clusters, owner, project.id)
  const site = clusters.find('local', project.key)
  if (site) site.files = { ...laterFiles }
  return { ...project, backupId }
}

const restore = (id: ProjectId, backupId: SiteBackupId, newProjectName: string | null = null) =>
  owner.call(restoreSiteBackup, { params: { id }, body: { backupId, newProjectName } })

const list = (id: ProjectId) =>
  owner.call(listSiteBackups, { params: { id }, query: { perPage: '100' } })

/** Runs a restore until it has ended, and then the reconciler. */
async function finish(id: ProjectId) {
  for (let round = 0; await store.findOpen(world.ctx.db, id); round++) {
    if (round === 20) throw new Error('the restore has not ended')
    await runRestore(worker(), id, times)
    world.clock.forward(minute)
  }
  await settle(worker(), id)
}

const filesOf = (key: string) => clusters.find('local', key)?.files
const row = async (id: ProjectId) => {
  const project = await projectStore.findForReconciler(world.ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}
const archives = async () =>
  (await readdir(join(world.env.DATA_DIR, 'artifacts/incoming')).catch(() => [])).filter((name) =>
    name.includes('.content'),
  )
const activityOf = async (id: ProjectId) => {
  const { items } = await owner.call(listProjectActivity, { params: { id }, query: {} })
  return items.map(({ kind, actor, after }) => ({ kind, actor: actor.kind, after }))
}

describe(title(restoreSiteBackup), () => {
  it('replaces the files of a stopped site, after a backup of them, and starts it', async () => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    expect(await isPaused(world.ctx.db, id)).toBe(true)
    expect(await listPaused(world.ctx.db)).toContain(id)

    const ctx = worker()
    await runRestore(ctx, id, times)
    expect(clusters.effects).toEqual(['apply local', 'export local', 'import local'])
    expect(await isPaused(world.ctx.db, id)).toBe(false)
    expect((await row(id)).state).toBe('modifying')
    await settle(worker(), id)
    expect(clusters.find('local', key)).toMatchObject({ files, isRunning: true })
    expect((await row(id)).state).toBe('ready')
    expect(await archives()).toEqual([])

    const { items, restore: ended } = await list(id)
    expect(items).toMatchObject([{ cause: 'restore', state: 'ready' }, { id: backupId }])
    expect(ended).toMatchObject({ backupId, step: null, failure: null })
    expect(await activityOf(id)).toContainEqual({
      kind: 'backup_restored',
      actor: 'user',
      after: null,
    })
  })

  it('stores the replaced files as a backup that can be restored', async () => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    await finish(id)
    const [before] = (await list(id)).items
    if (!before) throw new Error('no backup was made')
    await restore(id, before.id)
    await finish(id)
    expect(filesOf(key)).toEqual(laterFiles)
  })

  it('shows the step of the restore, and restores once for two requests at once', async () => {
    const { id, backupId } = await changedSite()
    await Promise.all([restore(id, backupId), restore(id, backupId)])
    expect((await list(id)).restore).toMatchObject({ step: 'stop', finishedAt: null })
    await finish(id)
    expect((await activityOf(id)).filter(({ kind }) => kind === 'backup_restored')).toHaveLength(1)
  })

  it('changes nothing for a repeated request after the restore has ended', async () => {
    const { id, key, backupId } = await changedSite()
    const request = { params: { id }, body: { backupId }, idempotencyKey: 'once' }
    await owner.call(restoreSiteBackup, request)
    await finish(id)
    const site = clusters.find('local', key)
    if (site) site.files = { 'data.db': 'new orders' }
    await owner.call(restoreSiteBackup, request)
    expect(await isPaused(world.ctx.db, id)).toBe(false)
    expect(filesOf(key)).toEqual({ 'data.db': 'new orders' })
  })

  it('waits for the release that is being deployed', async () => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    await world.ctx.locks.exclusively(deployLock(id), async () => {
      expect(await runRestore(worker(), id, times)).toBe(false)
    })
    expect(clusters.effects).toEqual([])
    await finish(id)
    expect(filesOf(key)).toEqual(files)
  })

  it('is rejected while a release is being deployed', async () => {
    const { id, backupId } = await changedSite()
    const now = world.clock.now()
    await world.ctx.write((tx) =>
      insertRelease(tx, {
        projectId: id,
        runtime: 'node',
        artifact: '3'.repeat(64),
        state: 'checking',
        source: 'upload',
        userId: owner.id,
        archiveBytes: 1,
        deadlineAt: now,
        createdAt: now,
      }),
    )
    await expect(restore(id, backupId)).rejects.toMatchObject({
      code: 'backup_not_possible',
      context: 'release_in_progress',
    })
  })

  it('is rejected while a backup is being made', async () => {
    const { id, backupId } = await changedSite()
    await owner.call(createSiteBackup, { params: { id } })
    await expect(restore(id, backupId)).rejects.toMatchObject({
      code: 'backup_not_possible',
      context: 'backup_in_progress',
    })
  })

  it('leaves a stopped site stopped', async () => {
    const { id, key, backupId } = await changedSite({ power: 'stopped' })
    await restore(id, backupId)
    await finish(id)
    expect(clusters.find('local', key)).toMatchObject({ files, isRunning: false })
    expect(await row(id)).toMatchObject({ state: 'ready', power: 'stopped' })
  })

  it('applies changes made during the restore once it has ended', async () => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    await owner.call(changeProjectPower, { params: { id }, body: { power: 'stopped' } })
    await settle(worker(), id)
    expect(clusters.find('local', key)?.isRunning).toBe(true)
    await finish(id)
    expect(clusters.find('local', key)).toMatchObject({ files, isRunning: false })
  })

  it.each([1, 2, 3])('continues after its worker was killed at effect %i', async (effect) => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    await runRestore(worker(effect), id, times)
    await finish(id)
    expect(clusters.find('local', key)).toMatchObject({ files, isRunning: true })
    expect((await list(id)).restore).toMatchObject({ step: null, failure: null })
    expect(await archives()).toEqual([])
  })

  it('rejects a second restore and a new backup during a restore, and a backup of another project', async () => {
    const { id, backupId } = await changedSite()
    const { backupId: ofOther } = await changedSite()
    expect(await errorCodeOf(restore(id, ofOther))).toBe('item_not_found')
    const second = await backUp(world, clusters, owner, id)
    await restore(id, backupId)
    const inProgress = { code: 'backup_not_possible', context: 'restore_in_progress' }
    await expect(restore(id, second)).rejects.toMatchObject(inProgress)
    await expect(owner.call(createSiteBackup, { params: { id } })).rejects.toMatchObject(inProgress)
    await finish(id)
  })

  it('restores the files of a site that has lost them', async () => {
    const { id, key, backupId } = await changedSite()
    clusters.sites.delete(`local/${key}`)
    await restore(id, backupId)
    await finish(id)
    expect(clusters.find('local', key)).toMatchObject({ files, isRunning: true })
  })

  it('ends the restore when the project is deleted', async () => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    await owner.call(deleteProject, { params: { id } })
    await runRestore(worker(), id, times)
    await settle(worker(), id)
    expect(clusters.find('local', key)).toBeUndefined()
    expect(await store.findOpen(world.ctx.db, id)).toBeUndefined()
    expect((await row(id)).state).toBe('deleted')
  })
})

describe('a restore that fails', () => {
  it.each([
    ['apply local', new Error('broken'), 'engine_failed'],
    ['export local', new Error('broken'), 'not_backed_up'],
  ])('at %s leaves the files as they are', async (effect, error, failure) => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    clusters.failAt(effect, error)
    for (let round = 0; round < 4; round++) {
      await runRestore(worker(), id, times)
      world.clock.forward(minute)
    }
    clusters.failAt(effect, null)
    await finish(id)
    expect(clusters.find('local', key)).toMatchObject({ files: laterFiles, isRunning: true })
    expect((await list(id)).restore).toMatchObject({ step: null, failure })
    expect(await activityOf(id)).toContainEqual({
      kind: 'backup_restore_failed',
      actor: 'service',
      after: failure,
    })
  })

  it.each([
    [new Error('broken'), 'engine_failed'],
    [new CapacityError('full'), 'no_room'],
  ])('after it has replaced files puts the earlier ones back: %s', async (error, failure) => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    clusters.failAt('import local', error)
    for (let round = 0; round < 6; round++) {
      await runRestore(worker(), id, times)
      world.clock.forward(minute)
    }
    expect((await list(id)).restore).toMatchObject({ step: 'undo', failure: null })
    const site = clusters.find('local', key)
    if (site) site.files = { half: 'of them' }
    clusters.failAt('import local', null)
    await finish(id)
    expect(clusters.find('local', key)).toMatchObject({ files: laterFiles, isRunning: true })
    expect((await list(id)).restore).toMatchObject({ step: null, failure })
  })

  it('leaves no part of a backup in a site that had lost its files', async () => {
    const { id, key, backupId } = await changedSite()
    clusters.sites.delete(`local/${key}`)
    await restore(id, backupId)
    clusters.failAt('import local', new Error('broken'))
    for (let round = 0; round < 5; round++) {
      await runRestore(worker(), id, times)
      world.clock.forward(minute)
      if (round === 0)
        clusters.sites.set(`local/${key}`, { files: { half: 'one' }, isRunning: false, name: '' })
    }
    expect(clusters.find('local', key)).toBeUndefined()
    expect((await list(id)).restore).toMatchObject({ step: null, failure: 'engine_failed' })
  })

  it('because the backup is damaged leaves the files as they are', async () => {
    const { id, key, backupId } = await changedSite()
    const file = join(world.env.DATA_DIR, 'site-backups', `slipway-site-${backupId}.gz.age`)
    await writeFile(file, 'damaged')
    await restore(id, backupId)
    await finish(id)
    expect(filesOf(key)).toEqual(laterFiles)
    expect((await list(id)).restore).toMatchObject({ failure: 'backup_unreadable' })
  })

  it('waits for a cluster that does not respond, and fails at its deadline', async () => {
    const { id, key, backupId } = await changedSite()
    await restore(id, backupId)
    clusters.failAt('apply local', new ClusterUnreachableError('away'))
    for (let round = 0; round < 6; round++) {
      await runRestore(worker(), id, times)
      world.clock.forward(minute)
    }
    expect((await list(id)).restore).toMatchObject({ step: 'stop' })
    world.clock.forward(siteBackupLimits.deadline)
    clusters.failAt('apply local', null)
    await finish(id)
    expect(filesOf(key)).toEqual(laterFiles)
    expect((await list(id)).restore).toMatchObject({ failure: 'timed_out' })
  })
})

describe('a restore into a new project', () => {
  it('creates it with the files, the variables and the release of the backup', async () => {
    const { id, key, backupId } = await changedSite()
    await owner.call(changeEnvironment, { params: { id }, body: { set: { MODE: 'secret' } } })
    const created = await restore(id, backupId, 'Copy')
    expect(created).toMatchObject({ name: 'Copy', state: 'pending', teamId: owner.teamId })
    await settle(worker(), created.id)
    expect((await row(created.id)).state).toBe('pending')
    await finish(created.id)
    expect(clusters.find('local', created.key)).toMatchObject({ files, isRunning: true })
    expect(filesOf(key)).toEqual(laterFiles)
    expect((await row(created.id)).state).toBe('ready')
    const params = { id: created.id }
    expect((await owner.call(listEnvironment, { params })).variables).toMatchObject([
      { name: 'MODE' },
    ])
    const { items } = await owner.call(listReleases, { params, query: {} })
    expect(items).toMatchObject([{ number: 1, source: 'backup', state: 'live', isCurrent: true }])
    expect((await list(created.id)).items).toEqual([])
  })

  it('creates one project for repeated requests', async () => {
    const { id, backupId } = await changedSite()
    const request = {
      params: { id },
      body: { backupId, newProjectName: 'Copy' },
      idempotencyKey: 'once',
    }
    const [first, second] = await Promise.all([
      owner.call(restoreSiteBackup, request),
      owner.call(restoreSiteBackup, request),
    ])
    expect(second.id).toBe(first.id)
    await finish(first.id)
  })

  it('fails the creation when the files do not arrive, and never starts it empty', async () => {
    const { id, backupId } = await changedSite()
    const created = await restore(id, backupId, 'Copy')
    clusters.failAt('import local', new Error('broken'))
    for (let round = 0; round < 4; round++) {
      await runRestore(worker(), created.id, times)
      world.clock.forward(minute)
    }
    expect((await row(created.id)).state).toBe('failed_creating')
    clusters.failAt('import local', null)
    await owner.call(retryProject, { params: { id: created.id } })
    await settle(worker(), created.id)
    expect(clusters.find('local', created.key)).toBeUndefined()
    await finish(created.id)
    expect(clusters.find('local', created.key)).toMatchObject({ files, isRunning: true })
  })

  it('has the files even if its source is deleted during the restore', async () => {
    const { id, backupId } = await changedSite()
    const created = await restore(id, backupId, 'Copy')
    await owner.call(deleteProject, { params: { id } })
    await settle(worker(), id)
    await removeOfDeleted(worker())
    await finish(created.id)
    expect(filesOf(created.key)).toEqual(files)
    await removeOfDeleted(worker())
    expect(await list(id)).toMatchObject({ items: [] })
  })

  it('needs a name', async () => {
    const { id, backupId } = await changedSite()
    expect(await errorCodeOf(restore(id, backupId, ' '))).toBe('validation_error')
  })

  it('is forbidden for a token that may use some projects only', async () => {
    const { id, backupId } = await changedSite()
    const { token } = await owner.call(createPersonalToken, {
      body: { name: 'deploy', projectIds: [id] },
    })
    const call = world.client(token)
    const body = { backupId, newProjectName: 'Copy' }
    expect(await errorCodeOf(call(restoreSiteBackup, { params: { id }, body }))).toBe('forbidden')
  })

  it('fails when the stored file is missing', async () => {
    const { id, backupId } = await changedSite()
    const created = await restore(id, backupId, 'Copy')
    await rm(join(world.env.DATA_DIR, 'site-backups'), { recursive: true })
    await finish(created.id)
    expect((await row(created.id)).state).toBe('failed_creating')
  })
})
