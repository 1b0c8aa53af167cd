import { day, hour } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  deleteProject,
  listProjects,
} from '@slipway/contract/projects'
import { ada, grace, type Person } from './demo.people.ts'
import type { Moment, Stage } from './demo.stage.ts'

/** Ages in milliseconds. `deleted` and `domain` are the ages of these requests. */
type Example = {
  name: string
  by: Person
  age: number
  domain?: { name: string; age: number }
  deleted?: number
  fails?: boolean
}

const examples: Example[] = [
  {
    name: 'Harbour Cafe',
    by: ada,
    age: 97 * day,
    domain: { name: 'www.harbour-cafe.example', age: 96 * day },
  },
  { name: 'Old Mill Museum', by: ada, age: 90 * day },
  { name: 'Sailing School', by: grace, age: 84 * day },
  { name: 'Town Library', by: ada, age: 66 * day + 5 * hour },
  { name: 'Stargazers Club', by: grace, age: 41 * day },
  { name: 'Spring Exhibition', by: ada, age: 33 * day, deleted: 4 * hour },
  { name: 'Community Garden', by: grace, age: 26 * hour },
  { name: 'Winter Fair', by: ada, age: 6 * hour, fails: true },
]

const find = async (stage: Stage, { by, name }: Example) => {
  const projects = await (await stage.as(by))(listProjects)
  const project = projects.find((project) => project.name === name)
  if (!project) throw new Error(`there is no project ${name}`)
  return { params: { id: project.id }, project }
}

/** The projects of both users in each stable state. */
export function projectMoments(ago: (age: number) => Date): Moment[] {
  return examples.flatMap((example) => {
    const { name, by, age, domain, deleted, fails } = example
    const moments: Moment[] = [
      {
        at: ago(age),
        async happens(stage) {
          const { id: teamId } = await stage.teamOf(by)
          const call = await stage.as(by)
          const body = { name, teamId, regionId: by === ada ? 'eu' : 'us', domain: null }
          await stage.reconcile(await call(createProject, { body }), !fails)
        },
      },
    ]
    if (domain)
      moments.push({
        at: ago(domain.age),
        async happens(stage) {
          const { params, project } = await find(stage, example)
          const call = await stage.as(by)
          await call(changeProjectDomain, { params, body: { domain: domain.name } })
          await stage.reconcile(project)
        },
      })
    if (deleted)
      moments.push({
        at: ago(deleted),
        async happens(stage) {
          const { params, project } = await find(stage, example)
          await (await stage.as(by))(deleteProject, { params })
          await stage.reconcile(project)
        },
      })
    return moments
  })
}
