import {
  createProject,
  type Project,
  type ProjectId,
  viewProject,
} from '@slipway/contract/projects'
import {
  createRelease,
  listReleases,
  rollBackRelease,
  updateVersion,
} from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunPhp } from '../../engines/hosting/local/runtimes/php/php-world.fixture.ts'
import { type ArchiveFiles, zipOf } from '../../testing/archives.ts'
import { hasSandbox } from '../../testing/sandbox.ts'
import { sitePage } from '../../testing/site-page.ts'
import { failuresOfVisitors } from '../../testing/steady-requests.ts'
import { until } from '../../testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../testing/wordpress.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.store.ts'

const canRunPrograms = await hasSandbox()
const hasPhp = canRunPrograms && (await canRunPhp())
const wordPress = hasPhp ? await findWordPress() : null

let world: World
let owner: TestUser
beforeAll(async () => {
  world = await createWorld()
  await world.host()
  await world.startWorkers()
  owner = await world.user()
})
afterAll(() => world.close())

/** Part of each page; WordPress's has it as the version that made the page. */
const text = (version: number) => `99.${version}`

async function readyProject(runtime: Runtime): Promise<Project> {
  const project = await owner.call(createProject, {
    body: { name: 'Old Mill', teamId: owner.teamId, regionId: 'eu', domain: null, runtime },
  })
  const params = { key: project.key }
  await until(async () => (await owner.call(viewProject, { params })).state === 'ready')
  return project
}

/** Waits until the newest release is live. Throws when it has failed. */
const untilLive = (id: ProjectId) =>
  until(async () => {
    const { items } = await owner.call(listReleases, { params: { id }, query: {} })
    if (items[0]?.state === 'failed') throw new Error(`failed: ${items[0].failure}`)
    return items[0]?.state === 'live'
  })

/** Expects that no visit fails while a project changes to version 2, and back to version 1. */
async function expectNoFailure(
  { id, key }: Project,
  { change, changeBack }: Record<'change' | 'changeBack', () => Promise<unknown>>,
) {
  const shown = new Set<number>()
  async function visit() {
    const { status, body } = await sitePage(world.env.SITES_PORT, `${key}.localhost`)
    const version = status === 200 && [1, 2].find((each) => body.includes(text(each)))
    if (!version) return `${status} ${body.slice(0, 80)}`
    shown.add(version)
    return 'ok'
  }
  await until(async () => (await visit()) === 'ok')
  const failures = await failuresOfVisitors(visit, async () => {
    await change()
    await untilLive(id)
    await until(() => shown.has(2))
    shown.clear()
    await changeBack()
    await untilLive(id)
    await until(() => shown.has(1))
  })
  expect(failures).toEqual([])
}

const uploads: { runtime: Runtime; canRun: boolean; files(version: number): ArchiveFiles }[] = [
  {
    runtime: 'static',
    canRun: true,
    files: (version) => ({ 'index.html': text(version) }),
  },
  {
    runtime: 'node',
    canRun: canRunPrograms,
    files: (version) => ({
      'package.json': '{ "main": "app.js" }',
      'app.js': `require('http').createServer((q, s) => s.end('${text(version)}')).listen(process.env.PORT)`,
    }),
  },
  {
    runtime: 'php',
    canRun: hasPhp,
    files: (version) => ({
      'index.php': `<?php require 'version.php';`,
      'version.php': text(version),
    }),
  },
]

describe('visits through the gateway', () => {
  for (const { runtime, canRun, files } of uploads)
    it.skipIf(!canRun)(`all succeed during a release and a rollback: ${runtime}`, async () => {
      const project = await readyProject(runtime)
      const params = { id: project.id }
      const deploy = (version: number) => {
        const body = new Blob([new Uint8Array(zipOf(files(version)))], { type: 'application/zip' })
        return owner.call(createRelease, { params, query: {}, body })
      }
      await deploy(1)
      await untilLive(project.id)
      await expectNoFailure(project, {
        change: () => deploy(2),
        changeBack: () => owner.call(rollBackRelease, { params, body: { number: 1 } }),
      })
    })

  it.skipIf(!wordPress)(
    'all succeed during an update and a rollback: wordpress',
    async () => {
      await addVersion(1)
      const project = await readyProject('wordpress')
      const params = { id: project.id }
      await addVersion(2)
      await expectNoFailure(project, {
        change: () => owner.call(updateVersion, { params }),
        changeBack: () => owner.call(rollBackRelease, { params, body: { number: 1 } }),
      })
    },
    300_000,
  )
})

/** Adds the installed WordPress as a version, whose number the pages of its theme show. */
async function addVersion(version: number) {
  if (!wordPress) throw new Error('WordPress is missing')
  const { digest, install } = await wordPressArtifact(wordPress, (code) =>
    code.replace(/\$wp_version = '.*?'/, `$wp_version = '99.${version}'`),
  )
  await install(world.env.DATA_DIR)
  world.clock.forward(1_000)
  const createdAt = world.clock.now()
  const added = { version: `99.${version}`, artifact: digest, archiveBytes: 1, createdAt }
  await world.ctx.write((tx) => runtimeVersions.upsert(tx, { runtime: 'wordpress', ...added }))
}
