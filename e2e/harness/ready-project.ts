import { day } from '@slipway/contract/limits'
import { createProject, listProjects, type ProjectId } from '@slipway/contract/projects'
import { until } from '../../apps/server/src/testing/until.ts'
import type { TestDatabase } from './database.ts'
import { ownTeam, type Person } from './user.ts'

/** A project of the person whose site answers, also at the domain if one is given. */
export async function readyProject(person: Person, name: string, domain: string | null = null) {
  const { id: teamId } = await ownTeam(person)
  const { key } = await person.call(createProject, {
    body: { name, teamId, regionId: 'eu', domain },
  })
  return until(async () => {
    const project = (await person.call(listProjects)).find((each) => each.key === key)
    return project?.state === 'ready' && project
  })
}

/** Has DNS say that the domain of the project leads here, once the shared server has asked in vain. */
export const pointHere = ({ pool }: TestDatabase, id: ProjectId) =>
  until(async () => {
    const { rowCount } = await pool.query(
      `update domain_checks set verdict = 'correct', next_check_at = $2
       where project_id = $1 and checked_at is not null`,
      [id, new Date(Date.now() + day)],
    )
    return rowCount === 1
  })
