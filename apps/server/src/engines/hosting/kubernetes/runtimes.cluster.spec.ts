import { readFile } from 'node:fs/promises'
import type { Runtime } from '@slipway/contract/runtimes'
import { addRuntimeVersion, listRuntimes } from '@slipway/contract/runtimes'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { respondTo } from '../../../modules/login-provider/login-provider.clients.fixture.ts'
import { mails } from '../../../modules/mail/mail.schema.ts'
import { createServiceOnCluster, runtimeLack } from '../../../testing/cluster-world.ts'
import { failuresDuring, failuresOfVisitors } from '../../../testing/steady-requests.ts'
import { until } from '../../../testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../../testing/wordpress.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { serverOf } from '../local/runtimes/node/node-site.fixture.ts'
import { openBrowser } from '../local/starter-site/browser.fixture.ts'
import { createClusterProject } from './fixtures/cluster-project.fixture.ts'

const operatorEmail = 'operator@example.com'
const longTest = 400_000
const wordPress = runtimeLack === undefined ? await findWordPress() : null

describe.skipIf(runtimeLack)('the runtimes on Kubernetes', () => {
  let world: World
  let owner: TestUser
  let operator: TestUser
  beforeAll(async () => {
    world = await createServiceOnCluster('r', {
      OPERATOR_EMAILS: [operatorEmail],
      SLEEP_AFTER: 5,
    })
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

  const projectOf = (runtime: Runtime) => createClusterProject(world, owner, runtime)

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
      await project.sleep()
      expect((await project.wake()).body).toContain('Site')
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
      const onlyLocal = {
        ...app('three'),
        'main.js': `require('node:http').createServer((_, response) => response.end('three'))
          .listen(process.env.PORT, 'localhost')`,
      }
      expect(await project.deploy(onlyLocal)).toMatchObject({
        state: 'failed',
        failure: 'not_listening',
      })
      expect((await project.page()).body).toBe('one')
      await project.sleep()
      expect(await project.wake()).toEqual({ status: 200, body: 'one' })
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
      await project.sleep()
      expect(await project.wake('/uploads/note.txt')).toEqual({ status: 200, body: 'written' })
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
      expect((await project.page()).body).toContain('<title>Site</title>')
      // One file is in the site's folder, the other in the release.
      expect((await project.page('/wp-content/plugins/index.php')).status).toBe(200)
      expect((await project.page('/wp-includes/css/buttons.css')).status).toBe(200)
      await project.restart()
      // The title is in the database of the site, in the volume.
      expect((await project.page()).body).toContain('<title>Site</title>')
      await project.sleep()
      expect((await project.wake()).body).toContain('<title>Site</title>')
      await project.remove()
    },
    longTest,
  )

  it.skipIf(!wordPress)(
    'sign the members of a team in to their WordPress, and nobody else',
    async () => {
      const project = await projectOf('wordpress')
      await until(async () => (await project.page()).status === 200)
      const login = `http://${project.key}.localhost:${world.env.SITES_PORT}/wp-login.php`
      const url = (path: string) => world.env.PUBLIC_URL + path
      const signIn = async (member: TestUser) => {
        const browser = openBrowser()
        const request = await browser.follow(login, ({ href }) => href.startsWith(url('/auth/')))
        const response = await respondTo({ member, url }, request.location ?? request.url)
        return browser.follow(`${response.redirectUri}?${new URLSearchParams(response.parameters)}`)
      }
      const admin = await signIn(owner)
      expect([admin.status, admin.url.pathname]).toEqual([200, '/wp-admin/'])
      await expect(signIn(operator)).rejects.toThrow()
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
