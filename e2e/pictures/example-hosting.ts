import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { day, hour, minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Release, ReleaseState } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { createSignInClient } from '@slipway/contract/sign-in-clients'
import { newId } from '../../apps/server/src/db/ids.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { createLogs } from '../../apps/server/src/logs/logs.ts'
import { projectVariables } from '../../apps/server/src/modules/environment/environment.schema.ts'
import { personalTokens } from '../../apps/server/src/modules/personal-tokens/personal-tokens.schema.ts'
import { releases } from '../../apps/server/src/modules/releases/releases.schema.ts'
import { siteBackups } from '../../apps/server/src/modules/site-backups/site-backups.schema.ts'
import { siteRestores } from '../../apps/server/src/modules/site-restores/site-restores.schema.ts'
import * as trafficStore from '../../apps/server/src/modules/traffic/traffic.store.ts'
import { bucketOf, timeBuckets } from '../../apps/server/src/modules/traffic/traffic.times.ts'
import { insertUsageOf, monthStart } from '../harness/billing-screens.ts'
import { findUserId, insertPicture, insertProject, type TestDatabase } from '../harness/database.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'
import { createExampleDomains } from './example-domains.ts'
import { insertProgress } from './example-progress.ts'
import { pictureSites } from './example-site-pages.ts'

type ExampleRelease = {
  state: ReleaseState
  age: number
  changes?: Release['changes']
  failure?: Release['failure']
  detail?: string
  rollbackOf?: number
}

/** The releases of the example that has many, the oldest first. */
const manyReleases: ExampleRelease[] = [
  { state: 'superseded', age: 30 * day, changes: { added: 412, changed: 0, removed: 0 } },
  { state: 'superseded', age: 21 * day, changes: { added: 0, changed: 2, removed: 0 } },
  { state: 'failed', age: 20 * day, failure: 'index_missing' },
  {
    state: 'failed',
    age: 14 * day,
    failure: 'name_twice',
    detail: 'assets/photographs/2026/summer/IMG_0001-a-long-name-of-a-picture.JPG',
  },
  { state: 'superseded', age: 9 * day, changes: { added: 12, changed: 41, removed: 3 } },
  { state: 'superseded', age: 6 * day, changes: { added: 0, changed: 0, removed: 0 } },
  {
    state: 'live',
    age: 2 * hour,
    changes: { added: 3, changed: 41, removed: 12 },
    rollbackOf: 2,
  },
]

async function insertReleases(
  database: TestDatabase,
  user: TestUser,
  projectId: ProjectId,
  examples: ExampleRelease[],
  runtime: Runtime = 'static',
) {
  const userId = await findUserId(database, user.email)
  const artifactOf = (index: number) =>
    createHash('sha256').update(`${projectId} ${index}`).digest('hex')
  const live = examples.findIndex(({ state }) => state === 'live')
  if (examples[live])
    await database.pool.query('update projects set artifact = $1, updated_at = $2 where id = $3', [
      artifactOf(live),
      new Date(Date.now() - examples[live].age),
      projectId,
    ])
  await database.db.insert(releases).values(
    examples.map(({ state, age, changes, failure, detail, rollbackOf }, index) => {
      const createdAt = new Date(Date.now() - age)
      const isUnpacked = state !== 'checking' && failure === undefined
      return {
        id: newId<'Release'>(),
        projectId,
        number: index + 1,
        runtime,
        artifact: artifactOf(index),
        state,
        failure: failure ?? null,
        failureDetail: detail ?? null,
        source: rollbackOf ? ('rollback' as const) : ('upload' as const),
        rollbackOf: rollbackOf ?? null,
        userId,
        archiveBytes: 4_200_000,
        files: isUnpacked ? 412 : null,
        bytes: isUnpacked ? 6_420_000 : null,
        changes: changes ?? null,
        log: [{ event: 'received' as const, bytes: 4_200_000, time: createdAt.toISOString() }],
        deadlineAt: new Date(Date.now() + hour),
        createdAt,
        finishedAt: state === 'checking' ? null : new Date(createdAt.getTime() + second),
      }
    }),
  )
}

/** A week of visitors, with a peak and an hour of errors. */
export async function insertTraffic({ db }: TestDatabase, key: string) {
  const lastHour = Math.floor(Date.now() / hour) * hour
  const hours = Array.from({ length: 7 * 24 }, (_, hoursAgo) => {
    const requests = Math.round(60 + 50 * Math.sin(hoursAgo / 4) + (hoursAgo === 30 ? 900 : 0))
    const times: number[] = Array(timeBuckets).fill(0)
    times[bucketOf(12)] = requests
    const errors = hoursAgo === 5 ? Math.round(requests / 3) : 0
    const statuses = [0, requests - errors, 0, 0, errors]
    const visitors = [hoursAgo, hoursAgo + 1, hoursAgo + 2]
    return {
      key,
      hour: lastHour - hoursAgo * hour,
      statuses,
      bytes: requests * 14_000,
      times,
      visitors,
    }
  })
  await db.transaction((tx) =>
    trafficStore.addBatch(tx, { writer: randomUUID(), number: 1, now: new Date() }, hours),
  )
}

/** The output of a site, with an error, a long line and other alphabets; and its requests. */
async function writeLogs(dataDir: string, key: string) {
  const logs = createLogs(dataDir, createLog('warn'))
  const start = Date.now() - 20 * minute
  const lines = [
    'listening on port 8080',
    'Çığ uyarısı: sıcaklık 0 °C',
    `TypeError: cannot read properties of undefined (reading 'price')\n    at total (/app/server.js:41:19)`,
    `a line that ${'goes on and '.repeat(40)}ends`,
  ]
  for (let index = 0; index < 60; index++) {
    const time = start + index * second
    logs.add(key, 'site', { time, text: lines[index] ?? `GET /orders/${index} took ${index} ms` })
    logs.add(key, 'requests', {
      time,
      request: {
        method: index % 9 ? 'GET' : 'POST',
        host: `${key}.localhost`,
        path: index % 7 ? `/orders/${index}` : `/search?q=${'word+'.repeat(20)}`,
        status: index % 11 ? 200 : index % 2 ? 404 : 502,
        bytes: 1_200 * index,
        duration: index,
        referrer: index % 3 ? null : 'www.google.com',
        agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    })
  }
  await logs.close()
}

/** Clients of the user: a program with a server, and one without. */
async function createClients(user: TestUser, id: ProjectId) {
  for (const [name, isPublic] of [
    ['Intranet', false],
    ['Warehouse tablets', true],
  ] as const)
    await user.call(createSignInClient, {
      params: { id },
      body: {
        name,
        isPublic,
        redirectUris: ['http://localhost/api/auth/callback/slipway', 'http://localhost/callback'],
        logoutRedirectUris: [],
        algorithm: 'RS256',
      },
    })
}

const variableNames = [
  'DATABASE_URL',
  'STRIPE_KEY',
  'NEXT_PUBLIC_A_RATHER_LONG_NAME_OF_A_VARIABLE_THAT_NOBODY_SHORTENED',
]

const tokens = [
  { name: 'GitHub Actions', usedAgo: 3 * minute },
  { name: 'A laptop whose name is as long as a name of a token may possibly be', usedAgo: null },
]

/** Backups of each cause and state, the newest first, and a restore that failed. */
async function insertBackups(
  { db }: TestDatabase,
  projectId: ProjectId,
  userId: Awaited<ReturnType<typeof findUserId>>,
) {
  const at = (age: number) => new Date(Date.now() - age)
  const backup = (age: number, values: Partial<typeof siteBackups.$inferInsert>) => ({
    id: newId<'SiteBackup'>(),
    projectId,
    state: 'ready' as const,
    cause: 'daily' as const,
    runtime: 'node' as const,
    release: 12,
    bytes: 48_300_000 - Math.round(age / second),
    deadlineAt: at(age - hour),
    createdAt: at(age),
    finishedAt: at(age - second),
    ...values,
  })
  const restored = backup(9 * day, { checkedAt: at(8 * day) })
  const rows = [
    backup(2 * second, { state: 'creating', cause: 'manual', userId, bytes: null }),
    backup(5 * hour, { checkedAt: at(hour) }),
    backup(day, { cause: 'restore' }),
    backup(2 * day, { state: 'failed', failure: 'too_large', bytes: null }),
    backup(3 * day, { cause: 'release' }),
    backup(4 * day, { cause: 'manual', userId }),
    restored,
  ]
  await db.insert(siteBackups).values(rows)
  await db.insert(siteRestores).values({
    projectId,
    id: randomUUID(),
    backupId: restored.id,
    backupCreatedAt: restored.createdAt,
    isNewProject: false,
    step: null,
    failure: 'no_room',
    retryAt: at(0),
    deadlineAt: at(0),
    requestedAt: at(minute),
    finishedAt: at(0),
  })
}

export type ExampleHosting = Awaited<ReturnType<typeof createExampleHosting>>

/** Creates a user whose projects have releases, logs, traffic, variables and tokens. */
export async function createExampleHosting(
  database: TestDatabase,
  dataDir: string,
  user: TestUser,
  browser: Browser,
) {
  const { id: teamId } = await ownTeam(user)
  const since = monthStart(new Date())
  const insert = async (name: string, values: Partial<Parameters<typeof insertProject>[1]>) => {
    const project = await insertProject(database, {
      teamId,
      state: 'ready',
      name,
      runtime: 'static',
      appliedGeneration: 1,
      // The project is older than its releases.
      createdAt: new Date(Date.now() - 31 * day),
      ...values,
    })
    await insertProgress(database, project)
    if (values.power !== 'stopped' && !values.suspension)
      await insertUsageOf(database, user, project.id, { since })
    return project
  }
  const manyReleasesProject = await insert('Harbour Cafe', {})
  await insertReleases(database, user, manyReleasesProject.id, manyReleases)
  await insertTraffic(database, manyReleasesProject.key)
  await createClients(user, manyReleasesProject.id)
  await database.db.insert(projectVariables).values(
    variableNames.map((name, index) => ({
      id: newId<'Variable'>(),
      projectId: manyReleasesProject.id,
      name,
      sealed: 'not read here',
      bytes: 20,
      updatedAt: new Date(Date.now() - index * 3 * day),
    })),
  )
  const longName = 'Verwaltungsgerichtsverfahrensbeschleunigungsgesetz'
  const checking = await insert(longName, { runtime: 'node' })
  await insertReleases(database, user, checking.id, [{ state: 'checking', age: second }], 'node')
  await writeLogs(dataDir, manyReleasesProject.key)
  await writeLogs(dataDir, checking.key)
  const failed = await insert('Old Mill Museum', {})
  await insertReleases(database, user, failed.id, [
    { state: 'live', age: 3 * day, changes: { added: 412, changed: 0, removed: 0 } },
    { state: 'failed', age: minute, failure: 'link_outside', detail: 'downloads/latest' },
  ])
  const empty = await insert('Sailing School', {})
  const stopped = await insert('Town Library', { power: 'stopped' })
  const suspended = await insert('Night Market', { suspension: 'unpaid' })
  for (const { id } of [stopped, suspended])
    await insertReleases(database, user, id, [
      { state: 'live', age: 5 * day, changes: { added: 412, changed: 0, removed: 0 } },
    ])
  const pictured = [manyReleasesProject, failed, stopped, suspended]
  const pictures = await pictureSites(
    browser,
    pictured.map(({ name }) => name),
  )
  for (const [index, { id }] of pictured.entries())
    await insertPicture(database, id, pictures[index])
  const userId = await findUserId(database, user.email)
  const backups = await insert('Boat Yard', {
    runtime: 'node',
    artifact: 'f'.repeat(64),
    backupDueAt: new Date(Date.now() + day),
  })
  await insertBackups(database, backups.id, userId)
  await database.db.insert(personalTokens).values(
    tokens.map(({ name, usedAgo }) => ({
      id: newId<'PersonalToken'>(),
      userId,
      name,
      tokenHash: randomBytes(32),
      allProjects: true,
      createdAt: new Date(Date.now() - 40 * day),
      expiresAt: new Date(Date.now() + 50 * day),
      lastUsedAt: usedAgo === null ? null : new Date(Date.now() - usedAgo),
      lastUsedAddress: usedAgo === null ? null : '203.0.113.7',
      lastUsedClient: usedAgo === null ? null : 'slipway/0.1.0 (linux; node 26)',
    })),
  )
  const domains = await createExampleDomains(database, teamId)
  const pathOf = ({ key }: { key: string }) => `/projects/view/${key}`
  return {
    manyReleases: pathOf(manyReleasesProject),
    checking: pathOf(checking),
    failed: pathOf(failed),
    empty: pathOf(empty),
    stopped: pathOf(stopped),
    suspended: pathOf(suspended),
    backups: pathOf(backups),
    domains,
  }
}
