import type { Activity } from '@slipway/contract/activity'
import { minute } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { activity } from '../../apps/server/src/modules/activity/activity.schema.ts'
import { findUserId, type TestDatabase } from '../harness/database.ts'
import type { TestUser } from '../harness/user.ts'

type Example = Pick<Activity, 'kind'> & {
  project: string
  subject?: string
  before?: string
  after?: string
  byService?: boolean
}

/** What happened to the example projects, the oldest first. */
const examples: Example[] = [
  { project: 'Community Garden', kind: 'project_ready', byService: true },
  { project: 'Town Library', kind: 'release_live', subject: '12' },
  { project: 'Choir Newsletter', kind: 'domain_proven', subject: 'choir.example', byService: true },
  { project: 'Old Mill Museum', kind: 'project_renamed', before: 'Mill', after: 'Old Mill Museum' },
]

/** Adds entries of the projects, and gives all entries times of their own, the newest now. */
export async function insertActivity(
  database: TestDatabase,
  user: TestUser,
  idOf: (name: string) => ProjectId,
) {
  const { db, pool } = database
  const actorId = await findUserId(database, user.email)
  for (const { project, byService, ...entry } of examples) {
    const projectId = idOf(project)
    const { rows } = await pool.query('select team_id from projects where id = $1', [projectId])
    await db.insert(activity).values({
      ...entry,
      projectId,
      teamId: rows[0].team_id,
      actor: byService ? 'service' : 'user',
      actorId: byService ? null : actorId,
      createdAt: new Date(),
    })
  }
  await pool.query(
    `update activity set created_at = now() - ranked.rank * $1 * interval '1 millisecond'
     from (select position, row_number() over (order by position desc) - 1 as rank from activity)
       as ranked
     where ranked.position = activity.position`,
    [53 * minute],
  )
}
