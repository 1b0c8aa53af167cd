import { day } from '@slipway/contract/limits'
import { createProject, listProjects, type ProjectId } from '@slipway/contract/projects'
import { and, eq, isNotNull } from 'drizzle-orm'
import { domainChecks } from '../apps/server/src/modules/domains/domains.schema.ts'
import { until } from '../apps/server/src/testing/until.ts'
import type { TestDatabase } from './database.ts'
import { ownTeam, type Person } from './person.ts'

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
export const pointHere = ({ db }: TestDatabase, id: ProjectId) =>
  until(async () => {
    const found = await db
      .update(domainChecks)
      .set({ verdict: 'correct', nextCheckAt: new Date(Date.now() + day) })
      .where(and(eq(domainChecks.projectId, id), isNotNull(domainChecks.checkedAt)))
      .returning({ id: domainChecks.projectId })
    return found.length === 1
  })
