import { day } from '@slipway/contract/limits'
import { createProject, listProjects, type ProjectId } from '@slipway/contract/projects'
import { until } from '../../apps/server/src/testing/until.ts'
import type { TestDatabase } from './database.ts'
import { ownTeam, type TestUser } from './user.ts'

/** Creates a project and waits until its site responds, also at the domain if there is one. */
export async function createReadyProject(
  user: TestUser,
  name: string,
  domain: string | null = null,
) {
  const { id: teamId } = await ownTeam(user)
  const { key } = await user.call(createProject, {
    body: { name, teamId, regionId: 'eu', domain },
  })
  return until(async () => {
    const project = (await user.call(listProjects)).find((each) => each.key === key)
    return project?.state === 'ready' && project
  })
}

/** Marks the domain as correct, after the server's own DNS check has failed. */
export const markDomainCorrect = ({ pool }: TestDatabase, id: ProjectId) =>
  until(async () => {
    const { rowCount } = await pool.query(
      `update domain_checks set verdict = 'correct', next_check_at = $2
       where project_id = $1 and checked_at is not null`,
      [id, new Date(Date.now() + day)],
    )
    return rowCount === 1
  })
