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
  by: Person
  age: number
  domain?: { name: string; age: number }
  deleted?: number
  fails?: boolean
  /** What runs its files, their folder in `apps`, and the ages of its releases. */
  app?: { runtime: Runtime; folder?: string; releases: number[] }
}

const examples: Example[] = [
  {
    name: 'Harbour Cafe',
    by: ada,
    age: 97 * day,
    domain: { name: 'www.harbour-cafe.localhost', age: 96 * day },
  },
  { name: 'Old Mill Museum', by: ada, age: 90 * day },
  { name: 'Sailing School', by: grace, age: 84 * day },
  { name: 'Town Library', by: ada, age: 66 * day + 5 * hour },
  { name: 'Stargazers Club', by: grace, age: 41 * day },
  { name: 'Spring Exhibition', by: ada, age: 33 * day, deleted: 4 * hour },
  { name: 'Community Garden', by: grace, age: 26 * hour },
  {
    name: 'Tide Tables',
    by: ada,
    age: 12 * day,
    app: { runtime: 'node', folder: 'tide-tables', releases: [12 * day - hour, 3 * day] },
  },
  {
    name: 'Autumn Regatta',
    by: ada,
    age: 19 * day,
    app: { runtime: 'static', folder: 'regatta', releases: [19 * day - hour, 8 * day, day] },
  },
  {
    name: 'Regatta Guest Book',
    by: grace,
    age: 16 * day,
    app: { runtime: 'php', folder: 'guest-book', releases: [16 * day - hour] },
  },
  {
    name: 'Old Town Walks',
    by: ada,
    age: 22 * day,
    app: { runtime: 'wordpress', releases: [] },
  },
  { name: 'Winter Fair', by: ada, age: 6 * hour, fails: true },
]

const find = async (demo: DemoContext, { by, name }: Example) => {
  const projects = await (await demo.as(by))(listProjects)
  const project = projects.find((project) => project.name === name)
  if (!project) throw new Error(`there is no project ${name}`)
  return { params: { id: project.id }, project }
}

/** The projects of both users in each stable state. */
export function projectSteps(ago: (age: number) => Date): DemoStep[] {
  return examples.flatMap((example) => {
    const { name, by, age, domain, deleted, fails, app } = example
    const steps: DemoStep[] = [
      {
        at: ago(age),
        async run(demo) {
          const { id: teamId } = await demo.teamOf(by)
          const call = await demo.as(by)
          const regionId = by === ada ? 'eu' : 'us'
          if (app && !(await demo.canRun(app.runtime))) return
          const body = { name, teamId, regionId, domain: null, runtime: app?.runtime }
          await demo.reconcile(await call(createProject, { body }), !fails)
        },
      },
    ]
    for (const release of app?.releases ?? [])
      steps.push({
        at: ago(release),
        async run(demo) {
          if (!app?.folder || !(await demo.canRun(app.runtime))) return
          const { project } = await find(demo, example)
          await demo.deploy(by, project, await demoArchive(app.folder))
        },
      })
    if (domain)
      steps.push({
        at: ago(domain.age),
        async run(demo) {
          const { params, project } = await find(demo, example)
          const call = await demo.as(by)
          await call(changeProjectDomain, { params, body: { domain: domain.name } })
          await demo.reconcile(project)
        },
      })
    if (deleted)
      steps.push({
        at: ago(deleted),
        async run(demo) {
          const { params, project } = await find(demo, example)
          await (await demo.as(by))(deleteProject, { params })
          await demo.reconcile(project)
        },
      })
    return steps
  })
}
