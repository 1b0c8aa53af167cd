import type { ProjectId } from '@slipway/contract/projects'
import {
  createSiteBackup,
  listSiteBackups,
  type SiteBackupId,
} from '@slipway/contract/site-backups'
import type { TestUser, World } from '../../testing/world.ts'
import type { createClusters } from '../projects/moves/project-moves.fixture.ts'
import { run } from './run-backup.ts'

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
