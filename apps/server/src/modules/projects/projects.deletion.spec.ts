import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDomain } from '@slipway/contract/domains'
import { changeEnvironment } from '@slipway/contract/environment'
import { day } from '@slipway/contract/limits'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import {
  createProject,
  deleteProject,
  type ProjectId,
  viewProject,
} from '@slipway/contract/projects'
import { createRelease, rollBackRelease, viewRelease } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { createSignInClient } from '@slipway/contract/sign-in-clients'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLayout } from '../../engines/hosting/local/files/layout.ts'
import { canRunPhp } from '../../engines/hosting/local/runtimes/php/php-world.fixture.ts'
import { collectModules } from '../../modules.ts'
import { type ArchiveFiles, zipOf } from '../../testing/archives.ts'
import { hasSandbox } from '../../testing/sandbox.ts'
import { sitePage } from '../../testing/site-page.ts'
import { findSiteTraces, noTraces, tablesWith } from '../../testing/site-traces.ts'
import { pollOptions, until } from '../../testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../testing/wordpress.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { storeCertificate } from '../certificates/certificates.fixture.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.store.ts'

const canRunPrograms = await hasSandbox()
const hasPhp = canRunPrograms && (await canRunPhp())
const wordPress = hasPhp ? await findWordPress() : null
const runtimes: Runtime[] = [
  'starter',
  'static',
  ...(canRunPrograms ? (['node'] as const) : []),
  ...(hasPhp ? (['php'] as const) : []),
  ...(wordPress ? (['wordpress'] as const) : []),
]
if (!wordPress)
  process.stdout.write(
    `Deletions are tested for ${runtimes.join(', ')}: this machine runs no more.\n`,
  )

let world: World
let owner: TestUser
beforeAll(async () => {
  world = await createWorld({ PROJECT_LIMIT: 100, SITE_EMAILS_PER_DAY: 1 })
  await world.host()
  await world.startWorkers()
  await addWordPress()
})
beforeEach(async () => {
  owner = await world.user()
})
afterAll(() => world.close())

/** The site leaves a program behind that is no child of it, and files of its own. */
const nodeFiles: ArchiveFiles = {
  'package.json': '{"name":"app","version":"1.0.0","main":"app.js"}',
  'package-lock.json':
    '{"name":"app","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"app","version":"1.0.0"}}}',
  'app.js': `
    require('node:fs').writeFileSync('/data/note', 'kept')
    require('node:child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref()
    require('node:http').createServer((request, response) => response.end('up')).listen(process.env.PORT)`,
}

const filesOf: Record<Runtime, ArchiveFiles | null> = {
  starter: null,
  static: { 'index.html': 'up' },
  node: nodeFiles,
  php: {
    'index.php':
      '<?php file_put_contents("/data/uploads/note", "kept"); mail("ada@example.com", "Hi", "Hi"); echo "up";',
  },
  wordpress: null,
  image: null,
}

async function addWordPress() {
  if (!wordPress) return
  const { digest, install } = await wordPressArtifact(wordPress)
  await install(world.env.DATA_DIR)
  const createdAt = world.clock.now()
  const version = { version: '6.1.9', artifact: digest, archiveBytes: 1, createdAt }
  await world.ctx.write((tx) => runtimeVersions.upsert(tx, { runtime: 'wordpress', ...version }))
}

const projectOf = async (key: string) => owner.call(viewProject, { params: { key } })
const inState = (key: string, state: string) =>
  until(async () => (await projectOf(key)).state === state)

async function deploy(id: ProjectId, runtime: Runtime, files: ArchiveFiles) {
  const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
  const { number } = await owner.call(createRelease, { params: { id }, query: { runtime }, body })
  return ended(id, number)
}

const ended = (id: ProjectId, number: number) =>
  until(async () => {
    const { state } = await owner.call(viewRelease, { params: { id, number: String(number) } })
    return state !== 'checking' && state
  })

/** A project with everything that a customer can add. */
async function createSite(runtime: Runtime) {
  const { id, key } = await owner.call(createProject, {
    body: { name: 'Old Mill', teamId: owner.teamId, regionId: 'eu', domain: null, runtime },
  })
  await inState(key, 'ready')
  const params = { id }
  const files = filesOf[runtime]
  if (files) {
    expect(await deploy(id, runtime, files)).toBe('live')
    expect(await deploy(id, runtime, { ...files, 'second.txt': key })).toBe('live')
    expect(await deploy(id, runtime, { 'nothing.txt': key })).toBe('failed')
    const { number } = await owner.call(rollBackRelease, { params, body: { number: 1 } })
    expect(await ended(id, number)).toBe('live')
  }
  await owner.call(changeEnvironment, { params, body: { set: { GREETING: 'hello' } } })
  await owner.call(createDomain, { params, body: { domain: `${key}.example.com` } })
  const certificateWithKey = { chain: ['a certificate'], key: 'a key' }
  await storeCertificate(world.ctx, {
    host: `${key}.example.com`,
    projectId: id,
    certificateWithKey,
  })
  await owner.call(createPersonalToken, { body: { name: 'Test', projectIds: [id] } })
  await owner.call(createSignInClient, {
    params,
    body: { name: 'Own client', redirectUris: ['http://localhost:3000/callback'] },
  })
  await inState(key, 'ready')
  await until(async () => (await sitePage(world.env.SITES_PORT, `${key}.localhost`)).status === 200)
  return { id, key }
}

const ownerOf = (path: string) =>
  stat(path).then(
    ({ uid }) => uid,
    () => null,
  )

/** Runs all scheduled jobs and timers of the servers. */
async function runScheduledWork() {
  const { jobs, timers } = collectModules()
  for (const { schedule, handle } of jobs) if (schedule) await handle(world.ctx, {})
  for (const { run } of timers) await run(world.ctx, true)
}

// `docs/operations.md`, "Deleted projects".
const recordsForGood = ['projects', 'released_domains', 'usage_intervals']
const recordsOfDays = [...recordsForGood, 'activity', 'mails']

/** All files of the server, without the folders, which it creates when it needs them. */
async function allFiles() {
  const entries = await readdir(world.env.DATA_DIR, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) =>
    entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)],
  )
}

describe('a project that is deleted', () => {
  it.each(runtimes)('leaves nothing of a site of %s', async (runtime) => {
    const filesBefore = await allFiles()
    const { id, key } = await createSite(runtime)
    const { data } = createLayout(world.env.DATA_DIR).site(key)
    const uid = process.getuid?.() === 0 ? await ownerOf(data) : null
    const traces = () => findSiteTraces(world.env.DATA_DIR, key, uid)
    const rows = () => tablesWith(world.ctx.db, [id, key])
    const rowsExcept = async (records: string[]) =>
      (await rows()).filter((table) => !records.includes(table))

    // Otherwise the scan would find nothing because it looks in the wrong place.
    const site = await traces()
    const isSandboxed = runtime !== 'starter' && runtime !== 'static'
    for (const kind of ['processes', 'namespaces', 'groups', 'sockets'] as const)
      if (isSandboxed) expect(site[kind]).not.toEqual([])
    expect(site.files).not.toEqual([])
    expect(await rows()).toEqual(
      expect.arrayContaining(['certificates', 'domains', 'project_variables']),
    )

    await owner.call(deleteProject, { params: { id } })
    await inState(key, 'deleted')
    await runScheduledWork()
    await expect.poll(traces, pollOptions).toEqual(noTraces)
    expect((await allFiles()).filter((path) => !filesBefore.includes(path))).toEqual([])
    await expect.poll(() => rowsExcept(recordsOfDays), pollOptions).toEqual([])

    world.clock.forward(400 * day)
    await runScheduledWork()
    expect(await rowsExcept(recordsForGood)).toEqual([])
  })
})
