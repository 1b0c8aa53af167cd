import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createProject, type Project } from '@slipway/contract/projects'
import { createRelease, listReleases, type Release } from '@slipway/contract/releases'
import { createLayout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { createServer, type Server } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'
import { createUser, ownTeam, type TestUser } from '../harness/user.ts'

let canRun = false

test.beforeAll(async () => {
  canRun = await hasSandbox()
  if (!canRun) process.stdout.write('Tests of Node apps are skipped: there is no sandbox.\n')
})

/** An app that takes some time to listen, so that a kill finds it starting. */
const archiveOf = (text: string) =>
  zipOf({
    'package.json': '{"main":"server.js"}',
    'server.js': `
      const server = require('node:http').createServer((request, response) => response.end('${text}'))
      setTimeout(() => server.listen(process.env.PORT), 400)`,
  })

async function startWithApp(env: Record<string, string> = {}) {
  const server = await createServer({ env })
  await server.start()
  const user = await createUser(server.url)
  const { id: teamId } = await ownTeam(user)
  const project = await user.call(createProject, {
    body: { name: 'Old Mill', teamId, regionId: 'eu', domain: null, runtime: 'node' },
  })
  await upload(user, project, 'release 1')
  await settled(user, project)
  return { server, user, project, files: createLayout(server.dataDir).site(project.key) }
}

async function upload(user: TestUser, { id }: Project, text: string) {
  const body = new Blob([new Uint8Array(archiveOf(text))], { type: 'application/zip' })
  await user.call(createRelease, { params: { id }, query: {}, body })
}

/** Waits until no release is checked any more, and returns the releases, the newest first. */
const settled = (user: TestUser, { id }: Project): Promise<Release[]> =>
  until(async () => {
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    return items.every(({ state }) => state !== 'checking') && items
  })

const visit = ({ sitesPort }: Server, { key }: Project) =>
  sitePage(sitesPort, `${key}.localhost`).catch(() => ({ status: 0, body: '' }))

/** The control groups of a site: one for each program that runs. */
async function groupsOf({ key }: Project) {
  const version1 = await readdir('/sys/fs/cgroup/pids/slipway').catch(() => null)
  const groups = version1 ?? (await readdir('/sys/fs/cgroup/slipway'))
  return groups.filter((name) => name.startsWith(`${key}.`))
}

/** The record of the program that serves; empty while another one takes over. */
const recordOf = ({ process }: SiteFiles) => readFile(process, 'utf8').catch(() => '')

/** The instants of a deployment at which the server is killed, by what it has done until then. */
const instants: [
  title: string,
  isReached: (files: SiteFiles, before: string) => Promise<boolean>,
][] = [
  ['while the new program starts', async ({ candidate }) => existsSync(candidate)],
  [
    'after the new program has taken over',
    async (files, before) => (await recordOf(files)) !== before && !existsSync(files.candidate),
  ],
]
type SiteFiles = ReturnType<ReturnType<typeof createLayout>['site']>

test.describe('a server that is killed with SIGKILL', () => {
  test('finishes or discards the deployment of a Node app, and leaves one program', async () => {
    test.skip(!canRun, 'this machine has no sandbox')
    // The jobs of a killed worker are taken over after half a minute.
    test.setTimeout(300_000)
    const { server, user, project, files } = await startWithApp()
    try {
      for (const [round, [title, isReached]] of instants.entries()) {
        const before = await recordOf(files)
        await upload(user, project, `release ${round + 2}`)
        await until(() => isReached(files, before))
        await server.kill()
        await server.start()

        const releases = await settled(user, project)
        const live = releases.filter(({ state }) => state === 'live')
        expect(live, title).toHaveLength(1)
        expect(live[0]?.number, title).toBe(round + 2)
        await until(async () => (await visit(server, project)).body === `release ${round + 2}`)
        await until(async () => (await groupsOf(project)).length === 1)
        for (const path of [files.candidate, files.candidateLog, files.draining])
          await until(() => !existsSync(path))
        const artifacts = await readdir(join(server.dataDir, 'artifacts'), { recursive: true })
        expect(artifacts.filter((path) => path.endsWith('.unfinished'))).toEqual([])
      }
    } finally {
      await server.remove()
    }
  })

  test('while a Node app wakes leaves it asleep or awake, with one program at most', async () => {
    test.skip(!canRun, 'this machine has no sandbox')
    const { server, project, files } = await startWithApp({ SLEEP_AFTER: '3' })
    try {
      await until(async () => existsSync(files.asleep) && (await groupsOf(project)).length === 0)
      const fellAsleep = await stat(files.process).catch(() => null)
      void visit(server, project)
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
