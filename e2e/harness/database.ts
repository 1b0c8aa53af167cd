import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { UserId } from '@slipway/contract/account'
import { day } from '@slipway/contract/limits'
import type { ProjectId, ProjectState } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { connect } from '../../apps/server/src/db/connect.ts'
import { connectionTo } from '../../apps/server/src/db/embedded-connection.ts'
import { newId } from '../../apps/server/src/db/ids.ts'
import { findPostmaster } from '../../apps/server/src/db/postmaster.ts'
import { localCluster } from '../../apps/server/src/env/configured-clusters.ts'
import { startJobs } from '../../apps/server/src/jobs.ts'
import { domains } from '../../apps/server/src/modules/domains/domains.schema.ts'
import { publish } from '../../apps/server/src/modules/events/events.service.ts'
import { newKey } from '../../apps/server/src/modules/projects/projects.key.ts'
import { projects } from '../../apps/server/src/modules/projects/projects.schema.ts'
import { sitePictures } from '../../apps/server/src/modules/site-pictures/site-pictures.schema.ts'
import { teamMembers } from '../../apps/server/src/modules/teams/teams.schema.ts'

export type TestDatabase = ReturnType<typeof connectTo>

/** Connection options of the embedded database in a data folder; undefined if none is running. */
export function databaseOf(dataDir: string) {
  const postmaster = findPostmaster(join(dataDir, 'database'))
  return postmaster && connectionTo(postmaster, dataDir)
}

/** Connects to the embedded database in a data folder. */
export function connectTo(dataDir: string) {
  const database = databaseOf(dataDir)
  if (!database) throw new Error(`no database runs on ${dataDir}`)
  return connect(database, { connections: 2, onError: () => undefined })
}

type ProjectValues = { teamId: TeamId; state: ProjectState; name?: string } & Partial<
  typeof projects.$inferInsert
>

/**
 * Inserts a project in any state, with a proven primary domain if it has one. The server's
 * reconciler leaves `ready`, `failed_creating` and `deleted` ones alone: nothing is to be applied.
 */
export async function insertProject(
  database: TestDatabase,
  { teamId, state, name = 'Example site', ...more }: ProjectValues,
) {
  const { db } = database
  const now = new Date()
  const [project] = await db
    .insert(projects)
    .values({
      id: newId<'Project'>(),
      teamId,
      key: newKey(name),
      regionId: 'eu',
      cluster: localCluster,
      name,
      state,
      createdAt: now,
      updatedAt: now,
      ...(state === 'deleted' ? { deletedAt: now } : {}),
      ...(state === 'ready' ? { generation: 0 } : {}),
      ...more,
    })
    .returning()
  if (!project) throw new Error('the project was not stored')
  if (more.domain) await insertDomain(database, { projectId: project.id, host: more.domain })
  return project
}

/** Inserts a domain of a project, by default its primary one and proven. */
export async function insertDomain(
  { db }: TestDatabase,
  values: Pick<typeof domains.$inferInsert, 'projectId' | 'host'> &
    Partial<typeof domains.$inferInsert>,
) {
  const now = new Date()
  await db.insert(domains).values({
    id: newId<'Domain'>(),
    role: 'primary',
    state: 'active',
    proof: 'none',
    provenAt: now,
    token: 'slipway-verification=example',
    nextCheckAt: new Date(now.getTime() + day),
    createdAt: now,
    ...values,
  })
}

/** WebP of one pixel. */
const onePixel = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')

/** Stores a picture of a project's site, of one pixel by default, with its event. */
export const insertPicture = (
  { db }: TestDatabase,
  projectId: ProjectId,
  image: Buffer = onePixel,
): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.insert(sitePictures).values({
      projectId,
      address: randomBytes(16).toString('base64url'),
      large: image,
      small: image,
      generation: 1,
      takenAt: new Date(),
    })
    await publish(tx, { kind: 'Project', data: { type: 'Updated', projectId } })
  })

/** Adds a member to a team without an invitation. */
export async function joinTeam(
  { db }: TestDatabase,
  member: { userId: UserId; teamId: TeamId },
): Promise<void> {
  await db.insert(teamMembers).values({ ...member, createdAt: new Date() })
}

export async function findUserId({ pool }: TestDatabase, email: string): Promise<UserId> {
  const { rows } = await pool.query('select id from users where email = $1', [email])
  return rows[0].id
}

/** Removes a member from a team without an event. */
export async function leaveTeam(
  { pool }: TestDatabase,
  member: { userId: UserId; teamId: TeamId },
): Promise<void> {
  await pool.query('delete from team_members where team_id = $1 and user_id = $2', [
    member.teamId,
    member.userId,
  ])
}

/** Deletes a project without an event. */
export async function deleteWithoutEvent({ pool }: TestDatabase, id: ProjectId): Promise<void> {
  await pool.query("update projects set state = 'deleted', deleted_at = now() where id = $1", [id])
}

/** Runs scheduled jobs of a server at once. They may still be running afterwards. */
export async function sendJobs({ db, options }: TestDatabase, names: readonly string[]) {
  const log = { warn: () => undefined, error: () => undefined }
  const jobs = await startJobs({ ...options, worker: false }, [], log)
  await db.transaction(async (tx) => {
    for (const name of names) await jobs.send(tx, name, {})
  })
  await jobs.close()
}

export async function tablesOf({ pool }: TestDatabase, id: ProjectId): Promise<string[]> {
  const { rows } = await pool.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id' order by table_name`,
  )
  const hasRows = async (table: string) =>
    (await pool.query(`select from ${table} where project_id = $1 limit 1`, [id])).rows.length > 0
  const tables = rows.map((row) => row.table_name)
  const found = await Promise.all(tables.map(hasRows))
  return tables.filter((_, index) => found[index])
}
