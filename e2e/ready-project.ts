import { createProject, listProjects } from '@slipway/contract/projects'
import { until } from '../apps/server/src/testing/until.ts'
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
