import { createProject, listProjects } from '@slipway/contract/projects'
import { until } from '../../apps/server/src/testing/until.ts'
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
