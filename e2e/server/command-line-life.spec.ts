import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { approveDevice } from '@slipway/contract/personal-tokens'
import { listProjects, type Project } from '@slipway/contract/projects'
import { type Cli, createCli } from '../../apps/cli/src/cli.fixture.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { findWordPress } from '../../apps/server/src/testing/wordpress.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { type Instant, killDuring, starting, untilServed } from '../harness/deployments.ts'
import { folderOf } from '../harness/folder-of.ts'
import { expectNothingLeft } from '../harness/nothing-left.ts'
import { test as base } from '../harness/own-server.ts'
import {
  expectRestart,
  type ReadStart,
  recordedStart,
  untilAsleep,
} from '../harness/project-journey.ts'
import type { Server } from '../harness/server.ts'
import { lifeEnv, shownStart, uploadedKinds } from '../harness/site-kinds.ts'
import { expect } from '../harness/test.ts'
import { textsIn } from '../harness/texts.ts'
import { createUser, type TestUser } from '../harness/user.ts'
import {
  addContent,
  addTestVersion,
  expectContent,
  operatorToken,
  replacePicturesOfOthers,
  versionText,
} from '../harness/wordpress.ts'

const test = base.extend<{ cli: Cli }>({
  cli: async ({ server }, use) => {
    const cli = await createCli({ SLIPWAY_URL: server.url })
    await use(cli)
    await cli.remove()
  },
})
test.use({ serverEnv: lifeEnv })

const t = textsIn('en')
const name = 'Old Mill'

/** Logs in with a code that the user confirms in the console. */
async function logIn(cli: Cli, user: TestUser) {
  const { result, ended } = cli.start(['login'])
  const code = await until(() => /code: ([A-Z]{4}-[A-Z]{4})/.exec(result.errors)?.[1])
  await user.call(approveDevice, { body: { code, projectIds: null } })
  expect((await ended)[0]).toBe(0)
}

/** Runs a command that must succeed. Returns its output. */
async function run(cli: Cli, args: string[], input = '') {
  const { code, output, errors } = await cli.run(args, { input })
  // A failure prints the whole object.
  expect({ args, code, errors }).toMatchObject({ code: 0 })
  return output
}

/** A project that the command line creates, and its site. */
async function createSite(
  server: Server,
  cli: Cli,
  kind: { runtime: Project['runtime']; path: string; text(version: number): string },
) {
  const user = await createUser(server.url)
  await logIn(cli, user)
  await run(cli, ['create', name, '--runtime', kind.runtime, '--region', 'eu'])
  const [project] = await user.call(listProjects)
  if (!project) throw new Error('the project was not created')
  const visit = () => sitePage(server.sitesPort, `${project.key}.localhost`, kind.path)
  const untilStatus = (status: number) => until(async () => (await visit()).status === status)
  const expectVersion = async (version: number) =>
    expect((await visit()).body).toContain(kind.text(version))
  /** Visits the site until it serves a version. Until then it serves the previous one. */
  const untilVersion = (version: number, previous: number, title: string) => {
    const [text, previousText] = [kind.text(version), kind.text(previous)]
    return untilServed(server, project, { path: kind.path, text, previous: previousText, title })
  }
  return {
    user,
    project,
    expectVersion,
    untilVersion,
    async untilFirstVersion() {
      await untilStatus(200)
      await until(async () => (await visit()).body.includes(kind.text(1)))
    },
    /** Calls `expectServed` after the start, and after the restart. */
    async changePower(readStart: ReadStart | null, expectServed: () => Promise<void>) {
      await run(cli, ['stop'])
      await untilStatus(503)
      await run(cli, ['start'])
      await untilStatus(200)
      await expectServed()
      await expectRestart(readStart, () => run(cli, ['restart']))
      await untilStatus(200)
      await expectServed()
    },
    /** Runs a command during which the server is killed, and which waits for its restart. */
    async surviveKill(
      args: string[],
      change: { instant: Instant; version: number; previous: number; release: number },
    ) {
      const { instant, version, previous, release } = change
      let command: ReturnType<Cli['start']> | undefined
      await killDuring(server, project, {
        instant,
        async deploy() {
          command = cli.start(args)
        },
      })
      await server.start()
      await untilVersion(version, previous, instant.title)
      const code = (await command?.ended)?.[0]
      expect({ code, ...command?.result }).toMatchObject({
        code: 0,
        output: expect.stringContaining(`Release ${release} is live`),
      })
      expect(await run(cli, ['releases'])).toMatch(new RegExp(`^ *${release} +Live`, 'm'))
    },
    /** Deletes the project, and expects that only these artifacts remain. */
    async remove(artifacts: string[] = []) {
      await run(cli, ['delete'], `${name}\n`)
      await expectNothingLeft(server, project, artifacts)
    },
  }
}

for (const kind of uploadedKinds)
  test.describe(`the life of a site of the runtime ${kind.runtime}, by the command line`, () => {
    test('leads from its creation to its deletion, and survives the kill of the server', async ({
      server,
      cli,
    }) => {
      const reason = await kind.missing()
      test.skip(reason !== null, reason ?? '')
      test.setTimeout(300_000)
      const sources = join(cli.folder, 'sources')
      await mkdir(sources)
      const site = await createSite(server, cli, kind)

      expect(await run(cli, ['deploy', await kind.build(sources, 1)])).toContain(
        'Release 1 is live',
      )
      await site.untilFirstVersion()
      // A version has the number of its release: 2 is broken, and 4 a rollback.
      const broken = await cli.run(['deploy', await folderOf(kind.broken)])
      expect(broken).toMatchObject({
        code: 1,
        output: expect.stringContaining(kind.brokenReason(t)),
      })
      await site.expectVersion(1)
      expect(await run(cli, ['deploy', await kind.build(sources, 3)])).toContain(
        'Release 3 is live',
      )
      await site.untilVersion(3, 1, 'changed')
      expect(await run(cli, ['rollback', '1'])).toContain('Release 4 is live')
      await site.untilVersion(1, 3, 'rolled back')

      await site.changePower(shownStart(server, site.project, kind), () => site.expectVersion(1))
      if (kind.runtime !== 'static') await untilAsleep(server, site.project)
      await site.expectVersion(1)
      await site.surviveKill(['deploy', await kind.build(sources, 5)], {
        instant: kind.instant,
        version: 5,
        previous: 1,
        release: 5,
      })
      await site.remove()
    })
  })

test.describe('the life of a WordPress site, by the command line', () => {
  test('leads from its creation to its deletion, and survives the kill of the server', async ({
    server,
    cli,
    page,
    context,
  }) => {
    // The first use of WordPress installs Debian's packages, and unpacks WordPress.
    test.setTimeout(900_000)
    const canRun = (await hasSandbox()) && (await findWordPress()) !== null
    test.skip(!canRun, 'WordPress, php-fpm or the sandbox is missing')
    const operator = await operatorToken(server.url)
    const digests = [await addTestVersion(server, operator, 1)]
    const site = await createSite(server, cli, {
      runtime: 'wordpress',
      path: '/',
      text: versionText,
    })
    await site.untilFirstVersion()
    await replacePicturesOfOthers(context)
    await storeSession(page, site.user)
    await page.goto(server.url)
    await page.goto(`${site.project.defaultUrl}/wp-admin/`)
    const pictureUrl = await addContent(page, site.project)
    // The server is killed later.
    await page.close()
    const expectServed = () => expectContent(server, site.project, pictureUrl)
    await expectServed()

    digests.push(await addTestVersion(server, operator, 2))
    expect(await run(cli, ['update'])).toContain('Release 2 is live')
    await site.untilVersion(2, 1, 'updated')
    await expectServed()
    expect(await run(cli, ['update'])).toContain('The site already runs the newest version.')
    expect(await run(cli, ['rollback', '1'])).toContain('Release 3 is live')
    await site.untilVersion(1, 2, 'rolled back')
    await expectServed()

    await site.changePower(recordedStart(server, site.project), expectServed)
    await untilAsleep(server, site.project)
    await site.expectVersion(1)
    await expectServed()
    digests.push(await addTestVersion(server, operator, 3))
    await site.surviveKill(['update'], { instant: starting, version: 3, previous: 1, release: 4 })
    await expectServed()
    await site.remove(digests.sort())
  })
})
