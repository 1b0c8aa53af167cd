import type { ProjectId } from '@slipway/contract/projects'
import {
  createSiteBackup,
  listSiteBackups,
  type SiteBackupId,
} from '@slipway/contract/site-backups'
import { createKeyPair } from '../../backup/backup-key.ts'
import type { TestUser, World } from '../../testing/world.ts'
import type { createClusters } from '../projects/moves/project-moves.fixture.ts'
import { run } from './run-backup.ts'
import { keyColumn } from './site-backups.sealed.ts'
import * as store from './site-backups.store.ts'

export type Clusters = ReturnType<typeof createClusters>

/** What the site has written. */
export const files = { 'index.html': 'home', 'data.db': 'rows' }

/** A Node project that runs on this machine, with files. */
export async function siteOf(
  { project }: World,
  clusters: Clusters,
  overrides: Parameters<World['project']>[0],
) {
  const created = await project({
    runtime: 'node',
    artifact: '1'.repeat(64),
    cluster: 'local',
    ...overrides,
  })
  const { key, name, power } = created
  clusters.sites.set(`local/${key}`, { files: { ...files }, isRunning: power === 'running', name })
  return created
}

/** Requests a backup as a user, and makes it. */
export async function backUp(
  world: World,
  clusters: Clusters,
  { call }: TestUser,
  id: ProjectId,
): Promise<SiteBackupId> {
  const backup = await call(createSiteBackup, { params: { id } })
  await run(clusters.process(world.ctx), backup.id)
  return backup.id
}

/** The backups of a project, the newest first. */
export const backupsOf = async ({ call }: TestUser, id: ProjectId) =>
  (await call(listSiteBackups, { params: { id }, query: { perPage: '100' } })).items

/** A project of the team with a backup whose file is missing. */
export async function backupOf(
  { ctx, clock, project }: World,
  overrides: Parameters<World['project']>[0],
): Promise<{ id: ProjectId; backupId: SiteBackupId }> {
  const artifact = '1'.repeat(64)
  const { id } = await project({ runtime: 'node', artifact, ...overrides })
  const now = clock.now()
  const { id: backupId } = await ctx.write(async (tx) => {
    const backup = await store.insert(tx, {
      projectId: id,
      cause: 'daily',
      runtime: 'node',
      artifact,
      deadlineAt: now,
      createdAt: now,
    })
    const sealed = keyColumn.seal(ctx.sealing, backup.id, (await createKeyPair()).identity)
    await store.update(tx, backup.id, { state: 'ready', digest: artifact, bytes: 1, sealed })
    return backup
  })
  return { id, backupId }
}
