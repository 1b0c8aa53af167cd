import type { Browser } from '@playwright/test'
import { hour, second } from '@slipway/contract/limits'
import type { Project, ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { insertPicture, insertProject, joinTeam, type TestDatabase } from '../harness/database.ts'
import { createUser, ownTeam } from '../harness/user.ts'
import { insertTraffic } from './example-hosting.ts'
import { insertProgress } from './example-progress.ts'
import { pictureSites } from './example-site-pages.ts'

type Example = Pick<Project, 'name' | 'state'> &
  Partial<Pick<Project, 'failure' | 'domain'>> & { team: 'own' | 'other'; age: number }

/** The oldest first. */
const examples: Example[] = [
  {
    name: 'Harbour Cafe',
    state: 'ready',
    domain: 'www.harbour-cafe.example',
    team: 'own',
    age: 900 * hour,
  },
  { name: 'Old Mill Museum', state: 'ready', team: 'own', age: 700 * hour },
  { name: 'Sailing School', state: 'ready', team: 'other', age: 650 * hour },
  { name: 'Town Library', state: 'ready', team: 'own', age: 600 * hour },
  { name: 'Stargazers Club', state: 'ready', team: 'other', age: 400 * hour },
  { name: 'Spring Exhibition', state: 'deleted', team: 'own', age: 300 * hour },
  {
    name: 'Choir Newsletter',
    state: 'modifying',
    domain: 'choir.example',
    team: 'other',
    age: 74 * hour,
  },
  { name: 'Community Garden', state: 'ready', team: 'other', age: 26 * hour },
  {
    name: 'Winter Fair',
    state: 'failed_creating',
    failure: 'site_not_answering',
    team: 'own',
    age: 5 * hour,
  },
  { name: 'Flower Market', state: 'deleting', team: 'other', age: 3 * hour },
  { name: 'Bicycle Workshop', state: 'creating', team: 'own', age: second },
  { name: 'Evening Classes', state: 'pending', team: 'own', age: 0 },
]

/** States in which the engine has sent no metadata yet. */
const withoutMetadata: Project['state'][] = ['pending', 'creating', 'failed_creating']

/** The metadata of the engine; the server adds the rest. */
const metadata = [
  { key: 'cms_version', value: '1.4.0' },
  { key: 'database_version', value: '18.1' },
]

/**
 * Creates a user in two teams with projects in several states. Needs a server without a worker
 * (`ROLE=web`): a reconciler would advance them.
 */
export async function createExampleProjects(url: string, database: TestDatabase, browser: Browser) {
  const user = await createUser(url, { name: 'Ada Example', email: 'ada@example.com' })
  const ownedTeam = await ownTeam(user)
  const otherTeam = await ownTeam(
    await createUser(url, { name: 'Grace Example', email: 'grace@example.com' }),
  )
  await database.pool.query('update teams set name = $1 where id = $2', [
    'Studio Example',
    otherTeam.id,
  ])
  await joinTeam(database, { userId: ownedTeam.userId, teamId: otherTeam.id })

  const teamIds: Record<Example['team'], TeamId> = { own: ownedTeam.id, other: otherTeam.id }
  const keys: Partial<Record<Project['state'], string>> = {}
  const ids = new Map<string, ProjectId>()
  for (const { team, age, ...project } of examples) {
    const createdAt = new Date(Date.now() - age)
    const inserted = await insertProject(database, {
      ...project,
      teamId: teamIds[team],
      createdAt,
      updatedAt: createdAt,
      ...(withoutMetadata.includes(project.state) ? {} : { metadata }),
    })
    await insertProgress(database, inserted)
    keys[project.state] ??= inserted.key
    ids.set(project.name, inserted.id)
  }
  const idOf = (name: string) => {
    const id = ids.get(name)
    if (!id) throw new Error(`no example project is named ${name}`)
    return id
  }
  const withSite = examples.filter(({ state }) => state === 'ready' || state === 'modifying')
  const pictures = await pictureSites(
    browser,
    withSite.map(({ name }) => name),
  )
  for (const [index, { name }] of withSite.entries())
    await insertPicture(database, idOf(name), pictures[index])
  const keyOf = (state: Project['state']) => {
    const key = keys[state]
    if (!key) throw new Error(`no example project is ${state}`)
    return key
  }
  await insertTraffic(database, keyOf('ready'))
  return { user, keyOf, idOf }
}
