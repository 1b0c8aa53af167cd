import { day, hour } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  deleteProject,
  listProjects,
} from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import { demoArchive } from './demo.apps.ts'
import type { DemoContext, DemoStep } from './demo.context.ts'
import { ada, grace, type Person } from './demo.people.ts'

/** Ages in milliseconds. `deleted` and `domain` are the ages of these requests. */
type Example = {
  name: string
  user: Person
  age: number
  domain?: { name: string; age: number }
  deleted?: number
  fails?: boolean
  /** `folder` is in `apps`; `releases` are their ages. */
  app?: { runtime: Runtime; folder?: string; releases: number[] }
}

const examples: Example[] = [
  {
    name: 'Harbour Cafe',
    user: ada,
    age: 97 * day,
    domain: { name: 'www.harbour-cafe.localhost', age: 96 * day },
  },
  { name: 'Old Mill Museum', user: ada, age: 90 * day },
  { name: 'Sailing School', user: grace, age: 84 * day },
  { name: 'Town Library', user: ada, age: 66 * day + 5 * hour },
  { name: 'Stargazers Club', user: grace, age: 41 * day },
  { name: 'Spring Exhibition', user: ada, age: 33 * day, deleted: 4 * hour },
  { name: 'Community Garden', user: grace, age: 26 * hour },
  {
    name: 'Tide Tables',
    user: ada,
    age: 12 * day,
    app: { runtime: 'node', folder: 'tide-tables', releases: [12 * day - hour, 3 * day] },
  },
  {
    name: 'Autumn Regatta',
    user: ada,
    age: 19 * day,
    app: { runtime: 'static', folder: 'regatta', releases: [19 * day - hour, 8 * day, day] },
  },
  {
    name: 'Regatta Guest Book',
    user: grace,
    age: 16 * day,
    app: { runtime: 'php', folder: 'guest-book', releases: [16 * day - hour] },
  },
  {
    name: 'Old Town Walks',
    user: ada,
    age: 22 * day,
    app: { runtime: 'wordpress', releases: [] },
  },
  { name: 'Winter Fair', user: ada, age: 6 * hour, fails: true },
]

const find = async (demo: DemoContext, { user, name }: Example) => {
  const projects = await (await demo.as(user))(listProjects)
  const project = projects.find((project) => project.name === name)
  if (!project) throw new Error(`there is no project ${name}`)
  return { params: { id: project.id }, project }
}

/** The projects of both users in each stable state. */
export function projectSteps(ago: (age: number) => Date): DemoStep[] {
  return examples.flatMap((example) => {
    const { name, user, age, domain, deleted, fails, app } = example
    const steps: DemoStep[] = [
      {
        time: ago(age),
        async run(demo) {
          const { id: teamId } = await demo.teamOf(user)
          const call = await demo.as(user)
          const regionId = user === ada ? 'eu' : 'us'
          if (app && !(await demo.canRun(app.runtime))) return
          const body = { name, teamId, regionId, domain: null, runtime: app?.runtime }
          await demo.reconcile(await call(createProject, { body }), !fails)
        },
      },
    ]
    for (const release of app?.releases ?? [])
      steps.push({
        time: ago(release),
        async run(demo) {
          if (!app?.folder || !(await demo.canRun(app.runtime))) return
          const { project } = await find(demo, example)
          await demo.deploy(user, project, await demoArchive(app.folder))
        },
      })
    if (domain)
      steps.push({
        time: ago(domain.age),
        async run(demo) {
          const { params, project } = await find(demo, example)
          const call = await demo.as(user)
          await call(changeProjectDomain, { params, body: { domain: domain.name } })
          await demo.reconcile(project)
        },
      })
    if (deleted)
      steps.push({
        time: ago(deleted),
        async run(demo) {
          const { params, project } = await find(demo, example)
          await (await demo.as(user))(deleteProject, { params })
          await demo.reconcile(project)
        },
      })
    return steps
  })
}
