import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createProject, type Project, viewProject } from '@slipway/contract/projects'
import { createRelease, rollBackRelease, updateVersion } from '@slipway/contract/releases'
import { createArtifactStore } from '../../apps/server/src/artifacts/artifact-store.ts'
import { type ArchiveFiles, zipOf } from '../../apps/server/src/testing/archives.ts'
import { hasPhpFpm } from '../../apps/server/src/testing/has-php-fpm.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { findWordPress } from '../../apps/server/src/testing/wordpress.ts'
import {
  groupsOf,
  type Instant,
  killDuring,
  namesIn,
  pathsOf,
  starting,
  switching,
  unpacked,
  unpackedArtifacts,
  unpacking,
  untilServed,
  waitUntilSettled,
} from '../harness/deployments.ts'
import { createServer, type Server } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'
import { createUser, ownTeam, type TestUser } from '../harness/user.ts'
import { addTestVersion, operatorToken, versionText } from '../harness/wordpress.ts'

type Fixture = Awaited<ReturnType<typeof startFixture>>

async function startFixture(
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
    return { server, operator, user, project, ...pathsOf(server, project) }
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

const visit = ({ sitesPort }: Server, { key }: Project) => sitePage(sitesPort, `${key}.localhost`)

/** The deployments of one runtime. */
type Case = {
  runtime: Project['runtime']
  /** The reason why this machine cannot run it; null if it can. */
  missing: () => Promise<string | null>
  prepare?: (server: Server, operator: string) => Promise<unknown>
  /** Starts the release whose page contains `text(version)`. */
  deploy(fixture: Fixture, version: number): Promise<unknown>
  text(version: number): string
  /** The creation of the project deploys version 1. */
  hasFirstRelease?: true
  instants: Instant[]
}

const uploads = (filesOf: (text: string) => ArchiveFiles) => ({
  deploy: ({ user, project }: Fixture, version: number) =>
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
    missing: async () =>
      (await withoutSandbox()) ?? ((await findWordPress()) ? null : 'WordPress is missing'),
    prepare: (server, operator) => addTestVersion(server, operator, 1),
    hasFirstRelease: true,
    async deploy({ server, operator, user, project: { id } }, version) {
      await addTestVersion(server, operator, version)
      await user.call(updateVersion, { params: { id } })
    },
    text: versionText,
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
      const fixture = await startFixture(runtime, { prepare })
      const { server, user, project, files, artifacts } = fixture
      const hasProgram = runtime !== 'static'
      const untilVersion = (version: number, previous: number, title: string) =>
        untilServed(server, project, { text: text(version), previous: text(previous), title })
      try {
        if (!hasFirstRelease) await deploy(fixture, 1)
        await waitUntilSettled(user, project)
        await until(async () => (await visit(server, project)).body.includes(text(1)))
        for (const [round, instant] of instants.entries()) {
          const { title } = instant
          const version = round + 2
          await killDuring(server, project, { instant, deploy: () => deploy(fixture, version) })
          await server.start()
          await untilVersion(version, version - 1, title)

          const releases = await waitUntilSettled(user, project)
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
        await untilVersion(1, last, 'rolled back')
        const [newest] = await waitUntilSettled(user, project)
        expect(newest).toMatchObject({ number: last + 1, state: 'live', rollbackOf: 1 })
      } finally {
        await server.remove()
      }
    })

  test('during an upload makes no release of it, and keeps nothing of it after a day', async () => {
    const fixture = await startFixture('static')
    const { server, user, project, artifacts } = fixture
    try {
      await upload(user, project, { 'index.html': 'release 1' })
      await waitUntilSettled(user, project)
      const folders = await unpackedArtifacts(artifacts.root)
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
      expect(await waitUntilSettled(user, project)).toHaveLength(1)
      expect(await unpackedArtifacts(artifacts.root)).toEqual(folders)
      expect(await namesIn(artifacts.root, '.archive')).toEqual([])
      // An upload may take hours: the hourly job removes files that are a day old.
      const limits = { archiveBytes: 1, unpackedBytes: 1, files: 1 }
      const store = createArtifactStore(server.dataDir, limits)
      await store.removeAbandoned(Date.now() + 25 * 3_600_000)
      expect(await namesIn(artifacts.incoming)).toEqual([])

      await upload(user, project, { 'index.html': 'release 2' })
      await until(async () => (await visit(server, project)).body === 'release 2')
      expect((await waitUntilSettled(user, project)).map(({ number }) => number)).toEqual([2, 1])
    } finally {
      await server.remove()
    }
  })

  test('while a Node app wakes leaves it asleep or awake, with one program at most', async () => {
    const reason = await withoutSandbox()
    test.skip(reason !== null, reason ?? '')
    const fixture = await startFixture('node', { env: { SLEEP_AFTER: '3' } })
    const { server, user, project, files } = fixture
    try {
      await nodeUploads.deploy(fixture, 1)
      await waitUntilSettled(user, project)
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
