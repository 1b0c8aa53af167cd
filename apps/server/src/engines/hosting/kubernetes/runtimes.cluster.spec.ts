import { readFile } from 'node:fs/promises'
import {
  createProject,
  deleteProject,
  restartProject,
  viewProject,
} from '@slipway/contract/projects'
import {
  createRelease,
  rollBackRelease,
  updateVersion,
  viewRelease,
} from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { addRuntimeVersion, listRuntimes } from '@slipway/contract/runtimes'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCluster } from '../../../env/configured-clusters.ts'
import { mails } from '../../../modules/mail/mail.schema.ts'
import { type ArchiveFiles, zipOf } from '../../../testing/archives.ts'
import { createServiceOnCluster, runtimeLack } from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { failuresDuring, failuresOfVisitors } from '../../../testing/steady-requests.ts'
import { until } from '../../../testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../../testing/wordpress.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { serverOf } from '../local/runtimes/node/node-site.fixture.ts'

const operatorEmail = 'operator@example.com'
const longTest = 400_000
const wordPress = runtimeLack === undefined ? await findWordPress() : null

describe.skipIf(runtimeLack)('the runtimes on Kubernetes', () => {
  let world: World
  let owner: TestUser
  let operator: TestUser
  beforeAll(async () => {
    world = await createServiceOnCluster('r', { OPERATOR_EMAILS: [operatorEmail] })
    owner = await world.user()
    operator = await world.user({ email: operatorEmail })
    if (!wordPress) return
    const { archive } = await wordPressArtifact(wordPress)
    await addWordPress(archive)
  }, longTest)
  afterAll(() => world?.close(), longTest)

  async function addWordPress(archive: string) {
    const body = new Blob([await readFile(archive)], { type: 'application/gzip' })
    await operator.call(addRuntimeVersion, { params: { runtime: 'wordpress' }, body })
  }

  /** A ready project, and the actions of its owner. */
  async function projectOf(runtime: Runtime) {
    const body = { name: 'Site', teamId: owner.teamId, regionId: 'eu', domain: null, runtime }
    const { id, key } = await owner.call(createProject, { body })
    const view = () => owner.call(viewProject, { params: { key } })
    await until(async () => (await view()).state === 'ready')
    const params = { id }
    const page = (path = '/') => sitePage(world.env.SITES_PORT, `${key}.localhost`, path)
    const settled = (number: number) =>
      until(async () => {
        const release = await owner.call(viewRelease, { params: { id, number: String(number) } })
        return release.state !== 'checking' && release
      })
    return {
      page,
      view,
      /** `ok`, or the status and body of a failure. */
      async visit(path = '/') {
        const { status, body } = await page(path)
        return status === 200 ? 'ok' : `${status} ${body.slice(0, 200)}`
      },
      /** The versions on the project's page, once the release is applied. */
      async versions() {
        const versionsOf = ({ metadata }: Awaited<ReturnType<typeof view>>) =>
          metadata.filter(({ key: name }) => name.endsWith('_version')).map(({ value }) => value)
        return until(async () => {
          const versions = versionsOf(await view())
          return versions.length > 0 && versions
        })
      },
      async deploy(files: ArchiveFiles, of: Runtime = runtime) {
        const archive = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
        const query = { runtime: of }
        const { number } = await owner.call(createRelease, { params, query, body: archive })
        return settled(number)
      },
      async rollBack(to: number) {
        const { number } = await owner.call(rollBackRelease, { params, body: { number: to } })
        return settled(number)
      },
      /** Updates to the newest version that the operator has added. */
      async update() {
        const { number } = await owner.call(updateVersion, { params })
        return settled(number)
      },
      async restart() {
        const before = world.ctx.engine.addressOf({ key, cluster: defaultCluster })
        await owner.call(restartProject, { params })
        await until(() => {
          const now = world.ctx.engine.addressOf({ key, cluster: defaultCluster })
          return now !== null && JSON.stringify(now) !== JSON.stringify(before)
        })
      },
      async remove() {
        await owner.call(deleteProject, { params })
        await until(async () => (await view()).state === 'deleted')
        expect(await world.ctx.engine.list([{ key, cluster: defaultCluster }])).toMatchObject([
          { applied: null },
        ])
      },
    }
  }

  it(
    'are offered where their images are named',
    async () => {
      const runtimes = await owner.call(listRuntimes, { query: { regionId: 'eu' } })
      const offered = runtimes.filter(({ available }) => available).map(({ id }) => id)
      const all = ['starter', 'static', 'node', 'php', 'wordpress', 'image']
      expect(offered).toEqual(wordPress ? all : all.filter((id) => id !== 'wordpress'))
    },
    longTest,
  )

  it(
    'run the starter site',
    async () => {
      const project = await projectOf('starter')
      expect(await project.page('/healthz')).toMatchObject({ status: 200 })
      expect((await project.page()).body).toContain('Site')
      await project.remove()
    },
    longTest,
  )

  it(
    'run a Node app, and take releases and a rollback without a failed request',
    async () => {
      const project = await projectOf('node')
      const app = (text: string) => ({
        'package.json': JSON.stringify({ scripts: { start: 'node main.js' } }),
        'main.js': serverOf(JSON.stringify(text)),
      })
      expect(await project.deploy(app('one'))).toMatchObject({
        state: 'live',
        runtime: 'node',
        failure: null,
        failureDetail: null,
        log: expect.any(Array),
      })
      await until(async () => (await project.page()).body === 'one')
      expect(await project.versions()).toEqual([expect.stringMatching(/^Node 2\d\.\d+\.\d+$/)])

      const failures = await failuresDuring(project.visit, async () => {
        expect((await project.deploy(app('two'))).state).toBe('live')
        await until(async () => (await project.page()).body === 'two')
        expect((await project.rollBack(1)).state).toBe('live')
        await until(async () => (await project.page()).body === 'one')
      })
      expect(failures).toEqual([])

      const broken = { ...app(''), 'main.js': 'process.exit(4)' }
      expect(await project.deploy(broken)).toMatchObject({
        state: 'failed',
        failure: 'program_exited',
        failureDetail: '4',
      })
      expect((await project.page()).body).toBe('one')
      await project.remove()
    },
    longTest,
  )

  it(
    'run PHP, send the files of a release and written ones, and take a release and a rollback',
    async () => {
      const project = await projectOf('php')
      const release = await project.deploy({
        'index.php': `<?php
          $file = getenv('UPLOADS_DIR') . '/note.txt';
          if (isset($_GET['write'])) { @mkdir(dirname($file)); file_put_contents($file, 'written'); }
          if (isset($_GET['mail'])) {
            exit(mail($_GET['mail'], 'Order', 'Hello') ? 'accepted' : 'rejected');
          }
          echo 'hello ' . PHP_SAPI;`,
        'style.css': 'body{}',
      })
      expect(release).toMatchObject({ state: 'live', failure: null })
      await until(async () => (await project.page('/?write=1')).body === 'hello fpm-fcgi')
      expect(await project.versions()).toEqual([expect.stringMatching(/^PHP \d+\.\d+\.\d+$/)])
      expect((await project.page('/?mail=ada@example.com')).body).toBe('accepted')
      expect((await project.page('/?mail=nobody')).body).toBe('rejected')
      const sent = await world.ctx.db
        .select()
        .from(mails)
        .where(eq(mails.recipient, 'ada@example.com'))
      expect(sent).toMatchObject([{ subject: 'Order' }])
      expect(await project.page('/style.css')).toEqual({ status: 200, body: 'body{}' })
      expect(await project.page('/uploads/note.txt')).toEqual({ status: 200, body: 'written' })
      // The front controller handles a missing path.
      expect((await project.page('/uploads/other.txt')).body).toBe('hello fpm-fcgi')

      const failures = await failuresDuring(project.visit, async () => {
        expect((await project.deploy({ 'index.php': 'two' })).state).toBe('live')
        await until(async () => (await project.page()).body === 'two')
        expect((await project.rollBack(1)).state).toBe('live')
        await until(async () => (await project.page()).body === 'hello fpm-fcgi')
      })
      expect(failures).toEqual([])
      await project.remove()
    },
    longTest,
  )

  it.skipIf(!wordPress)(
    'run a WordPress, which keeps its content over a restart',
    async () => {
      const project = await projectOf('wordpress')
      await until(async () => (await project.page()).status === 200)
      expect(await project.versions()).toEqual([
        expect.stringMatching(/^WordPress \d/),
        expect.stringMatching(/^SQLite 3\./),
        expect.stringMatching(/^PHP \d/),
      ])
      // Members of the team sign in with the console.
      expect((await project.page('/wp-login.php')).status).toBe(302)
      expect((await project.page()).body).toContain('<title>Site</title>')
      // One file is in the site's folder, the other in the release.
      expect((await project.page('/wp-content/plugins/index.php')).status).toBe(200)
      expect((await project.page('/wp-includes/css/buttons.css')).status).toBe(200)
      await project.restart()
      // The title is in the database of the site, in the volume.
      expect((await project.page()).body).toContain('<title>Site</title>')
      await project.remove()
    },
    longTest,
  )

  it.skipIf(!wordPress)(
    'update a WordPress and roll it back without a failed request',
    async () => {
      if (!wordPress) return
      const project = await projectOf('wordpress')
      await until(async () => (await project.page()).status === 200)
      // Its first start updates the database of the site.
      const next = await wordPressArtifact(wordPress, (text) =>
        text
          .replace(/\$wp_version = '[^']+'/, "$wp_version = '99.9'")
          .replace(/\$wp_db_version = \d+/, '$wp_db_version = 99999'),
      )
      await addWordPress(next.archive)
      const shows = async (version: RegExp) => version.test((await project.page()).body)
      const failures = await failuresOfVisitors(project.visit, async () => {
        expect(await project.update()).toMatchObject({ state: 'live', failure: null })
        await until(() => shows(/WordPress 99\.9/))
        expect(await project.rollBack(1)).toMatchObject({ state: 'live', failure: null })
        await until(() => shows(/WordPress (?!99)/))
      })
      expect(failures).toEqual([])
      await project.remove()
    },
    longTest,
  )

  it(
    'serve static files without a pod, through a release and a rollback',
    async () => {
      const project = await projectOf('static')
      expect((await project.deploy({ 'index.html': 'files alone' })).state).toBe('live')
      await until(async () => (await project.page()).body === 'files alone')
      const failures = await failuresDuring(project.visit, async () => {
        for (let round = 1; round <= 5; round++) {
          expect((await project.deploy({ 'index.html': `round ${round}` })).state).toBe('live')
          await until(async () => (await project.page()).body === `round ${round}`)
          expect((await project.rollBack(1)).state).toBe('live')
          await until(async () => (await project.page()).body === 'files alone')
        }
      })
      expect(failures).toEqual([])
      await project.remove()
    },
    longTest,
  )
})
