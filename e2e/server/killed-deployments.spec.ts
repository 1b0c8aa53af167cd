import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createProject, type Project, viewProject } from '@slipway/contract/projects'
import {
  createRelease,
  listReleases,
  type Release,
  rollBackRelease,
  updateVersion,
} from '@slipway/contract/releases'
import { createArtifactLayout } from '../../apps/server/src/artifacts/artifact-layout.ts'
import { createArtifactStore } from '../../apps/server/src/artifacts/artifact-store.ts'
import { createLayout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { type ArchiveFiles, zipOf } from '../../apps/server/src/testing/archives.ts'
import { hasPhpFpm } from '../../apps/server/src/testing/has-php-fpm.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../apps/server/src/testing/wordpress.ts'
import { createServer, type Server } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'
import { createUser, ownTeam, type TestUser } from '../harness/user.ts'
import { addVersion, operatorToken } from '../harness/wordpress.ts'

type SiteFiles = ReturnType<ReturnType<typeof createLayout>['site']>
type World = Awaited<ReturnType<typeof startWorld>>

/** A server with a project of this runtime. */
async function startWorld(
  runtime: Project['runtime'],
  {
    env = {},
    prepare,
  }: {
    env?: Record<string, string>
    prepare?: Case['prepare'] | undefined
  } = {},
) {
  const server = await createServer({ env })
  try {
    await server.start()
    const operator = await operatorToken(server.url)
    await prepare?.(server, operator)
    const user = await createUser(server.url)
    const { id: teamId } = await ownTeam(user)
    const project = await user.call(createProject, {
      body: { name: 'Old Mill', teamId, regionId: 'eu', domain: null, runtime },
    })
    await until(async () => {
      const { state } = await user.call(viewProject, { params: { key: project.key } })
      return state === 'ready'
    })
    const files = createLayout(server.dataDir).site(project.key)
    const artifacts = createArtifactLayout(server.dataDir)
    return { server, operator, user, project, files, artifacts }
  } catch (error) {
    await server.remove()
    throw error
  }
}

const upload = (user: TestUser, { id }: Project, files: ArchiveFiles) =>
  user.call(createRelease, {
    params: { id },
    query: {},
    body: new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' }),
  })

/** Waits until no release is checked any more, and returns the releases, the newest first. */
const settled = (user: TestUser, { id }: Project): Promise<Release[]> =>
  until(async () => {
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    return items.every(({ state }) => state !== 'checking') && items
  })

const visit = ({ sitesPort }: Server, { key }: Project) => sitePage(sitesPort, `${key}.localhost`)

/** The control groups of a site: one for each program that runs. */
async function groupsOf({ key }: Project) {
  const version1 = await readdir('/sys/fs/cgroup/pids/slipway').catch(() => null)
  const groups = version1 ?? (await readdir('/sys/fs/cgroup/slipway').catch(() => []))
  return groups.filter((name) => name.startsWith(`${key}.`))
}

/** The record of the program that serves; empty while another one takes over. */
const recordOf = ({ process }: SiteFiles) => readFile(process, 'utf8').catch(() => '')

/** An instant of a deployment at which the server is killed, by what it has done until then. */
type Instant = {
  title: string
  /** What the disk has before the deployment, for the comparison. */
  before(world: World): Promise<string>
  isReached(world: World, before: string): Promise<boolean>
}

const namesIn = async (folder: string, ending = '') =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending)).sort()

const unpacking: Instant = {
  title: 'while the archive is unpacked',
  before: async ({ artifacts }) => String(await namesIn(artifacts.incoming, '.unpacked')),
  isReached: async ({ artifacts }, before) =>
    String(await namesIn(artifacts.incoming, '.unpacked')) !== before,
}
const unpacked: Instant = {
  title: 'once the archive is unpacked',
  before: async ({ artifacts }) => String(await foldersOf(artifacts.root)),
  isReached: async ({ artifacts }, before) => String(await foldersOf(artifacts.root)) !== before,
}
const foldersOf = async (root: string) =>
  (await namesIn(root)).filter((name) => /^[0-9a-f]{64}$/.test(name))

const starting: Instant = {
  title: 'while the new program starts',
  before: async () => '',
  isReached: async ({ files }) => existsSync(files.candidate),
}
const switching: Instant = {
  title: 'after the new program has taken over',
  before: ({ files }) => recordOf(files),
  isReached: async ({ files }, before) =>
    (await recordOf(files)) !== before && !existsSync(files.candidate),
}

/** What the test deploys of one runtime. */
type Case = {
  runtime: Project['runtime']
  /** Null when this machine can run it. */
  missing: () => Promise<string | null>
  prepare?: (server: Server, operator: string) => Promise<unknown>
  /** Begins the release whose page has `text(version)`. WordPress begins with version 1. */
  deploy(world: World, version: number): Promise<unknown>
  text(version: number): string
  hasFirstRelease?: true
  instants: Instant[]
}

const uploads = (filesOf: (text: string) => ArchiveFiles) => ({
  deploy: ({ user, project }: World, version: number) =>
    upload(user, project, filesOf(`release ${version}`)),
  text: (version: number) => `release ${version}`,
})

/** An app that takes some time to listen, so that a kill finds it starting. */
const nodeUploads = uploads((text) => ({
  'package.json': '{"main":"server.js"}',
  'server.js': `
    const server = require('node:http').createServer((request, response) => response.end('${text}'))
    setTimeout(() => server.listen(process.env.PORT), 400)`,
}))

const withoutSandbox = async () => ((await hasSandbox()) ? null : 'this machine has no sandbox')

/** WordPress, as if it were a version of our own. */
const asVersion = (version: number) => (text: string) =>
  text.replace(/\$wp_version = '.*?'/, `$wp_version = '99.${version}'`)

async function installVersion(server: Server, operator: string, version: number) {
  const sources = await findWordPress()
  if (!sources) throw new Error('WordPress is missing')
  const artifact = await wordPressArtifact(sources, asVersion(version))
  await artifact.install(server.dataDir)
  await addVersion(server.url, operator, artifact)
}

const cases: Case[] = [
  {
    runtime: 'static',
    missing: async () => null,
    // Enough files that a kill finds them being compressed.
    ...uploads((text) => ({
      'index.html': text,
      ...Object.fromEntries(
        Array.from({ length: 300 }, (_, page) => [
          `${page}.html`,
          `${page} ${text}\n`.repeat(2000),
        ]),
      ),
    })),
    instants: [unpacking, unpacked],
  },
  {
    runtime: 'node',
    missing: withoutSandbox,
    ...nodeUploads,
    instants: [starting, switching],
  },
  {
    runtime: 'php',
    missing: async () => (await withoutSandbox()) ?? ((await hasPhpFpm()) ? null : 'no php-fpm'),
    ...uploads((text) => ({ 'index.php': `<?php usleep(400000); echo '${text}';` })),
    instants: [starting, switching],
  },
  {
    runtime: 'wordpress',
    missing: async () => (await withoutSandbox()) ?? ((await findWordPress()) ? null : 'none here'),
    prepare: (server, operator) => installVersion(server, operator, 1),
    hasFirstRelease: true,
    async deploy({ server, operator, user, project: { id } }, version) {
      await installVersion(server, operator, version)
      await user.call(updateVersion, { params: { id } })
    },
    text: (version) => `WordPress 99.${version}`,
    instants: [starting, switching],
  },
]

test.describe('a server that is killed with SIGKILL', () => {
  for (const { runtime, missing, prepare, hasFirstRelease, deploy, text, instants } of cases)
    test(`finishes or discards a deployment of ${runtime}, and serves the previous one until then`, async () => {
      const reason = await missing()
      test.skip(reason !== null, reason ?? '')
      // The jobs of a killed worker are taken over after half a minute.
      test.setTimeout(600_000)
      const world = await startWorld(runtime, { prepare })
      const { server, user, project, files, artifacts } = world
      const hasProgram = runtime !== 'static'
      /** Visits the site until it serves a version; until then it serves the previous one. */
      const untilServed = (version: number, previous: number, title: string) =>
        until(async () => {
          const { status, body } = await visit(server, project)
          if (status === 200 && body.includes(text(version))) return true
          expect({ status, title, body: body.includes(text(previous)) }).toEqual({
            status: 200,
            title,
            body: true,
          })
          return false
        })
      try {
        if (!hasFirstRelease) await deploy(world, 1)
        await settled(user, project)
        await until(async () => (await visit(server, project)).body.includes(text(1)))
        for (const [round, { title, before, isReached }] of instants.entries()) {
          const version = round + 2
          const state = await before(world)
          await deploy(world, version)
          await until(() => isReached(world, state))
          await server.kill()
          await server.start()
          await untilServed(version, version - 1, title)

          const releases = await settled(user, project)
          expect(
            releases.map(({ number, state }) => ({ number, state })),
            title,
          ).toEqual(
            Array.from({ length: version }, (_, index) => ({
              number: version - index,
              state: index === 0 ? 'live' : 'superseded',
            })),
          )
          await until(async () => (await groupsOf(project)).length === (hasProgram ? 1 : 0))
          for (const path of [files.candidate, files.candidateLog, files.draining])
            await until(() => !existsSync(path))
          expect(await namesIn(artifacts.root, '.archive'), title).toEqual([])
          const paths = await readdir(artifacts.root, { recursive: true })
          expect(paths.filter((path) => path.endsWith('.unfinished'))).toEqual([])
        }
        const last = instants.length + 1
        await user.call(rollBackRelease, { params: { id: project.id }, body: { number: 1 } })
        await untilServed(1, last, 'rolled back')
        const [newest] = await settled(user, project)
        expect(newest).toMatchObject({ number: last + 1, state: 'live', rollbackOf: 1 })
      } finally {
        await server.remove()
      }
    })

  test('during an upload makes no release of it, and keeps nothing of it after a day', async () => {
    const world = await startWorld('static')
    const { server, user, project, artifacts } = world
    try {
      await upload(user, project, { 'index.html': 'release 1' })
      await settled(user, project)
      const folders = await foldersOf(artifacts.root)
      const archive = zipOf({ 'index.html': 'release 2' })
      const outgoing = request(
        `${server.url}/api/management/project/release/create/${project.id}`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${user.token}`,
            'content-type': 'application/zip',
            'content-length': archive.length,
          },
        },
      ).on('error', () => undefined)
      outgoing.write(archive.subarray(0, archive.length - 1))
      await until(async () => {
        const [name] = await namesIn(artifacts.incoming, '.upload')
        return name && (await stat(join(artifacts.incoming, name))).size > 0
      })
      await server.kill()
      await server.start()

      expect((await visit(server, project)).body).toBe('release 1')
      expect(await settled(user, project)).toHaveLength(1)
      expect(await foldersOf(artifacts.root)).toEqual(folders)
      expect(await namesIn(artifacts.root, '.archive')).toEqual([])
      // An upload may take hours: the hourly job removes what is a day old.
      const limits = { archiveBytes: 1, unpackedBytes: 1, files: 1 }
      const store = createArtifactStore(server.dataDir, limits)
      await store.removeAbandoned(Date.now() + 25 * 3_600_000)
      expect(await namesIn(artifacts.incoming)).toEqual([])

      await upload(user, project, { 'index.html': 'release 2' })
      await until(async () => (await visit(server, project)).body === 'release 2')
      expect((await settled(user, project)).map(({ number }) => number)).toEqual([2, 1])
    } finally {
      await server.remove()
    }
  })

  test('while a Node app wakes leaves it asleep or awake, with one program at most', async () => {
    const reason = await withoutSandbox()
    test.skip(reason !== null, reason ?? '')
    const world = await startWorld('node', { env: { SLEEP_AFTER: '3' } })
    const { server, user, project, files } = world
    try {
      await nodeUploads.deploy(world, 1)
      await settled(user, project)
      await until(async () => existsSync(files.asleep) && (await groupsOf(project)).length === 0)
      const fellAsleep = await stat(files.process).catch(() => null)
      void visit(server, project).catch(() => undefined)
      await until(async () => {
        const record = await stat(files.process).catch(() => null)
        return record !== null && record.mtimeMs !== fellAsleep?.mtimeMs
      })
      await server.kill()
      await server.start()
      await until(async () => (await visit(server, project)).body === 'release 1')
      expect(await groupsOf(project)).toHaveLength(1)
      await until(async () => existsSync(files.asleep) && (await groupsOf(project)).length === 0)
    } finally {
      await server.remove()
    }
  })
})
