import { createHash } from 'node:crypto'
import type { ContainerImage } from '@slipway/contract/container-images'
import { day, hour, second } from '@slipway/contract/limits'
import { setRegistry } from '@slipway/contract/registries'
import type { ReleaseState } from '@slipway/contract/releases'
import { newId } from '../../apps/server/src/db/ids.ts'
import { containerImages } from '../../apps/server/src/modules/container-images/container-images.schema.ts'
import { releases } from '../../apps/server/src/modules/releases/releases.schema.ts'
import { insertUsageOf } from '../harness/billing-screens.ts'
import { findUserId, insertProject, type TestDatabase } from '../harness/database.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'
import { insertProgress } from './example-progress.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const imageOf = (version: string): ContainerImage => ({
  reference: `ghcr.io/acme/tide-tables@sha256:${sha256(version)}`,
  port: 8080,
  healthPath: '/health',
  dataPath: '/data',
  userId: 1000,
})

type ExampleRelease = { version: string; state: ReleaseState; age: number; rollbackOf?: number }

/** The oldest first; the last one rolls back to the second. */
const examples: ExampleRelease[] = [
  { version: '1.0', state: 'superseded', age: 20 * day },
  { version: '1.1', state: 'superseded', age: 9 * day },
  { version: '1.2', state: 'superseded', age: 5 * hour },
  { version: '1.1', state: 'live', age: 2 * hour, rollbackOf: 2 },
]

export type ExampleImages = Awaited<ReturnType<typeof createExampleImages>>

/** Creates projects that run container images, and the registries of their team. */
export async function createExampleImages(database: TestDatabase, user: TestUser) {
  const { id: teamId } = await ownTeam(user)
  const insert = async (name: string) => {
    const project = await insertProject(database, {
      teamId,
      state: 'ready',
      name,
      runtime: 'image',
      appliedGeneration: 1,
      createdAt: new Date(Date.now() - 21 * day),
    })
    await insertProgress(database, project)
    await insertUsageOf(database, user, project.id, { since: new Date(Date.now() - 20 * day) })
    return project
  }
  const live = await insert('Tide Tables')
  const empty = await insert('Ferry Tickets')
  const userId = await findUserId(database, user.email)
  for (const [index, { version, state, age, rollbackOf }] of examples.entries()) {
    const image = imageOf(version)
    const artifact = sha256(JSON.stringify(image))
    const createdAt = new Date(Date.now() - age)
    await database.db
      .insert(containerImages)
      .values({ artifact, image, createdAt })
      .onConflictDoNothing()
    await database.db.insert(releases).values({
      id: newId<'Release'>(),
      projectId: live.id,
      number: index + 1,
      runtime: 'image',
      artifact,
      state,
      source: rollbackOf ? 'rollback' : 'upload',
      rollbackOf: rollbackOf ?? null,
      userId,
      archiveBytes: 0,
      log: [{ event: 'image', reference: image.reference, time: createdAt.toISOString() }],
      deadlineAt: new Date(Date.now() + hour),
      createdAt,
      finishedAt: new Date(createdAt.getTime() + 4 * second),
    })
  }
  for (const [host, username] of [
    ['ghcr.io', 'acme'],
    ['registry.example.com', 'deploy-robot'],
  ] as const)
    await user.call(setRegistry, {
      params: { id: teamId },
      body: { host, username, password: 'example-1' },
    })
  return {
    live: `/projects/view/${live.key}`,
    empty: `/projects/view/${empty.key}`,
    team: `/teams/view/${teamId}`,
  }
}
