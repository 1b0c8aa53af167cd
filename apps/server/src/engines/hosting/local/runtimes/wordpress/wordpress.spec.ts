import { readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { zipOf } from '../../../../../testing/archives.ts'
import { createCertificateAuthority } from '../../../../../testing/certificate-authority.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import {
  createHostingWorld,
  type HostingWorldOptions,
  startHostingWorld,
} from '../../../../../testing/hosting-world.ts'
import { httpGet, httpsGet } from '../../../../../testing/http-get.ts'
import { hasSandbox } from '../../../../../testing/sandbox.ts'
import { findWordPress, wordPressArtifact } from '../../../../../testing/wordpress.ts'
import { createLayout } from '../../files/layout.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import { type Browser, openBrowser } from '../../starter-site/browser.fixture.ts'
import { startLoginProvider } from '../../starter-site/login-provider.fixture.ts'
import { startInternet } from '../php/internet.fixture.ts'

const sources = (await hasSandbox()) ? await findWordPress() : null
const canRun = sources !== null

const key = 'blog'
const signInPath = '/yk/app/auth/oauth/cloud'

/** Both timeouts only end a test that hangs: a page of WordPress may take seconds. */
const testTimeout = 300_000
const longPoll = { timeout: 100_000 }

/** A WordPress that was just created, and a login provider whose users are the team. */
async function startWordPress(options: HostingWorldOptions = {}) {
  const dataDir = await createDataFolder()
  let consoleUrl = ''
  const world = await createHostingWorld({
    dataDir,
    consoleUrl: () => consoleUrl,
    times: { healthMs: longPoll.timeout },
    ...options,
  })
  const origin = `http://${key}.localhost:${world.port}`
  const provider = await startLoginProvider({
    id: key,
    secret: 'secret',
    redirectUris: [`${origin}${signInPath}/callback`],
  })
  consoleUrl = provider.issuer
  await world.start()
  if (!sources) throw new Error('WordPress is missing')
  const artifact = await wordPressArtifact(sources)
  await artifact.install(dataDir)
  const site = instance(key, {
    runtime: 'wordpress',
    artifact: artifact.digest,
    name: 'My blog',
    environment: { GREETING: 'Hello' },
    signIn: { issuer: provider.issuer, clientId: key, clientSecret: 'secret' },
  })
  const php = { artifact: artifact.digest, runtime: 'wordpress' } as const
  for (const host of site.hosts)
    world.routes.set(host, { key, cluster: 'local', state: 'ready', php })
  await world.engine.apply(site, { mayCreate: true })
  const browser = openBrowser()
  await expect.poll(async () => (await browser.get(`${origin}/`)).status, longPoll).toBe(200)
  const signIn = (visitor: Browser = browser) => visitor.follow(origin + signInPath)
  return { ...world, origin, provider, site, php, browser, signIn }
}

type Site = Awaited<ReturnType<typeof startWordPress>>

/** A call to WordPress's REST API by the signed-in user. */
async function callRest(
  { origin, browser, port }: Site,
  path: string,
  body: Buffer | object,
  headers: Record<string, string> = {},
) {
  const { body: nonce } = await browser.get(`${origin}/wp-admin/admin-ajax.php?action=rest-nonce`)
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const content = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  return new Promise<{ status: number; json: Record<string, unknown> }>((resolve, reject) => {
    const outgoing = request(
      {
        port,
        path: `/wp-json/wp/v2/${path}`,
        method: 'POST',
        headers: {
          host: new URL(origin).host,
          cookie,
          'x-wp-nonce': nonce,
          'content-type': 'application/json',
          'content-length': content.length,
          ...headers,
        },
      },
      (response) =>
        buffer(response).then((bytes) => {
          const { statusCode: status = 0 } = response
          resolve({ status, json: JSON.parse(bytes.toString()) })
        }, reject),
    )
    outgoing.on('error', reject)
    outgoing.end(content)
  })
}

const fieldOf = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** Uploads a plugin by the form of the admin, and follows its link to activate it. */
async function installPlugin(site: Site, slug: string, code: string) {
  const { origin, browser } = site
  const form = await browser.get(`${origin}/wp-admin/plugin-install.php?tab=upload`)
  const boundary = 'a-boundary'
  const part = (name: string, parameters: string, content: Buffer | string) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ])
  const zip = zipOf({ [`${slug}/${slug}.php`]: code })
  const body = Buffer.concat([
    part('_wpnonce', '', fieldOf(form.body, '_wpnonce')),
    part('pluginzip', `; filename="${slug}.zip"\r\nContent-Type: application/zip`, zip),
    part('install-plugin-submit', '', 'Install Now'),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const installed = await browser.send(`${origin}/wp-admin/update.php?action=upload-plugin`, body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })
  const [, link = ''] = /href="(plugins\.php\?action=activate[^"]*)"/.exec(installed.body) ?? []
  return browser.follow(
    `${origin}/wp-admin/${link.replaceAll('&#038;', '&').replaceAll('&amp;', '&')}`,
  )
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!canRun)('WordPress', { timeout: testTimeout }, () => {
  it('installs itself, and its team publishes posts, pictures and plugins that stay', async () => {
    const site = await startWordPress()
    const { origin, browser, engine, dataDir } = site
    expect((await browser.get(`${origin}/`)).body).toContain('<title>My blog')

    const admin = await site.signIn()
    expect([admin.status, admin.url.pathname]).toEqual([200, '/wp-admin/'])
    const post = await callRest(site, 'posts', {
      title: 'Hello',
      content: 'Text',
      status: 'publish',
    })
    expect(post.status).toBe(201)
    const uploaded = await callRest(site, 'media', picture, {
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="red.png"',
    })
    expect(uploaded.json).toMatchObject({ media_details: { width: 1, height: 1 } })
    const plugin = await installPlugin(
      site,
      'hello-footer',
      `<?php /* Plugin Name: Hello footer */ add_action('wp_footer', function () { echo getenv('GREETING'), ' from the plugin'; });`,
    )
    expect(plugin.status).toBe(200)

    const check = async () => {
      const page = (await openBrowser().get(`${origin}/hello/`)).body
      expect(page).toContain('<p>Text</p>')
      expect(page).toContain('Hello from the plugin')
      const image = await browser.get(String(uploaded.json.source_url))
      expect([image.headers['content-type'], image.bytes]).toEqual(['image/png', picture])
    }
    await check()
    expect(await engine.metadata(site.site)).toEqual([
      { key: 'cms_version', value: expect.stringMatching(/^WordPress \d+\.\d+/) },
      { key: 'database_version', value: expect.stringMatching(/^SQLite \d+\.\d+/) },
      { key: 'runtime_version', value: expect.stringMatching(/^PHP \d+\.\d+\.\d+$/) },
    ])

    await engine.close({ stopSites: true })
    const next = await startHostingWorld({ dataDir, consoleUrl: () => site.provider.issuer })
    await expect.poll(() => engineListens(site), longPoll).toBe(true)
    await check()
    await next.engine.remove(key)
    expect(await readdir(join(dataDir, 'sites'))).toEqual([])
  })

  const engineListens = async ({ origin }: Site) =>
    (await openBrowser().get(`${origin}/`)).status === 200

  it('is updated beside the previous version, which keeps serving when the new one fails', async () => {
    const world = await startWordPress()
    const { origin, engine, dataDir, site, php } = world
    await world.signIn()
    await callRest(world, 'posts', { title: 'Hello', content: 'Text', status: 'publish' })
    const shows = async (version: string) => {
      expect((await openBrowser().get(`${origin}/hello/`)).body).toContain('<p>Text</p>')
      expect(await engine.metadata(site)).toContainEqual({
        key: 'cms_version',
        value: `WordPress ${version}`,
      })
    }
    const [{ value = '' } = {}] = (await engine.metadata(site)) ?? []
    const first = value.replace('WordPress ', '')
    await shows(first)

    /** Makes another version of WordPress live, as a release does. */
    async function update(edit: (text: string) => string) {
      if (!sources) throw new Error('WordPress is missing')
      const artifact = await wordPressArtifact(sources, edit)
      if (artifact.digest !== site.artifact) await artifact.install(dataDir)
      const next = { ...site, artifact: artifact.digest }
      const problem = await engine.stage(next)
      if (problem) {
        await engine.unstage(key)
        return problem
      }
      world.routes.set(site.hosts[0] ?? '', {
        key,
        cluster: 'local',
        state: 'ready',
        php: { ...php, artifact: artifact.digest },
      })
      await engine.apply(next, { mayCreate: false })
      return null
    }
    const broken = await update((text) => `${text}\nmissing_function();`)
    expect(broken).toMatchObject({ failure: 'unhealthy', detail: '500' })
    expect(broken?.output).toContain('missing_function()')
    await shows(first)

    const renamed = (text: string) =>
      text
        .replace(/\$wp_version = '.*?'/, "$wp_version = '99.1'")
        .replace(/\$wp_db_version = \d+/, '$wp_db_version = 99999')
    // As an update that was killed leaves them.
    const { data } = createLayout(dataDir).site(key)
    const copy = join(data, 'database/before-update.sqlite')
    await writeFile(copy, 'before the killed update')
    if (!sources) throw new Error('WordPress is missing')
    const { digest } = await wordPressArtifact(sources, renamed)
    await writeFile(join(data, 'updating'), `${digest}\n`)
    expect(await update(renamed)).toBeNull()
    await shows('99.1')
    expect(await readFile(copy, 'utf8')).toBe('before the killed update')
    expect((await world.browser.follow(`${origin}/wp-admin/`)).url.pathname).toBe('/wp-admin/')
    expect(await update((text) => text)).toBeNull()
    await shows(first)
    expect(await readFile(copy, 'utf8')).toContain('SQLite format 3')
  })

  it('runs what a plugin has scheduled, by the background work of the service', async () => {
    const site = await startWordPress({ backgroundMs: 10_000 })
    await site.signIn()
    const plugin = await installPlugin(
      site,
      'later',
      `<?php /* Plugin Name: Later */
      register_activation_hook(__FILE__, function () { wp_schedule_single_event(time(), 'later'); });
      add_action('later', function () { update_option('later', 'the plugin has run'); });
      add_action('wp_footer', function () { echo get_option('later'); });`,
    )
    expect(plugin.status).toBe(200)
    const visit = async () => (await openBrowser().get(`${site.origin}/`)).body
    await expect.poll(visit, longPoll).toContain('the plugin has run')
  })

  it('signs in by the console only', async () => {
    const site = await startWordPress()
    const { origin, browser, provider } = site
    const login = await browser.get(`${origin}/wp-login.php`)
    expect(login.location?.pathname).toBe(signInPath)
    const fields = { log: 'slipway', pwd: 'password', 'wp-submit': 'Log In' }
    expect((await browser.post(`${origin}/wp-login.php`, fields)).location?.pathname).toBe(
      signInPath,
    )
    const basic = `Basic ${Buffer.from('slipway:password').toString('base64')}`
    const users = await browser.get(`${origin}/wp-json/wp/v2/users/me`, { authorization: basic })
    expect(users.status).toBe(401)

    provider.decision = 'cancel'
    expect((await site.signIn()).status).toBe(403)
    expect(browser.cookies.filter(({ name }) => name.startsWith('wordpress_logged_in'))).toEqual([])

    const response = await openBrowser().get(`${origin}${signInPath}/callback?code=a&state=b`)
    expect(response.status).toBe(400)
    expect(provider.exchanges).toBe(0)
  })

  it('creates a deleted user again at the next sign-in', async () => {
    const site = await startWordPress()
    await site.signIn()
    const path = 'users/me?force=true&reassign=false'
    const deleted = await callRest(site, path, {}, { 'x-http-method-override': 'DELETE' })
    expect(deleted.json).toMatchObject({ deleted: true })
    const admin = await site.signIn()
    expect([admin.status, admin.url.pathname]).toEqual([200, '/wp-admin/'])
    expect((await callRest(site, 'posts', { title: 'Hello' })).status).toBe(201)
  })

  it('redeems no code of a sign-in that another browser began', async () => {
    const site = await startWordPress()
    const victim = openBrowser()
    const isBack = (url: URL) => url.pathname.endsWith('/callback')
    const { location } = await site.browser.follow(site.origin + signInPath, isBack)
    const stolen = await victim.get(String(location?.href))
    expect(stolen.status).toBe(400)
    expect(site.provider.exchanges).toBe(0)
  })

  it('reaches the internet, as for the download of a plugin, and no private address', async () => {
    const { urls, hosts, mayConnect } = await startInternet()
    const site = await startWordPress({ mayConnect })
    await site.signIn()
    const targets = [...urls, `http://127.0.0.3:${site.port}/`, 'http://169.254.169.254/']
    await installPlugin(
      site,
      'reach',
      `<?php /* Plugin Name: Reach */ add_action('init', function () {
        if (!isset($_GET['reach'])) return;
        add_filter('https_ssl_verify', '__return_false');
        $texts = array();
        foreach (json_decode('${JSON.stringify(targets)}') as $url) {
          $reply = wp_safe_remote_get($url);
          $texts[] = is_wp_error($reply) ? $reply->get_error_message() : wp_remote_retrieve_response_code($reply) . ' ' . wp_remote_retrieve_body($reply);
        }
        exit(json_encode($texts));
      });`,
    )
    const texts = JSON.parse((await site.browser.get(`${site.origin}/?reach`)).body)
    expect(texts.slice(0, 2)).toEqual(hosts.map((host) => `200 GET /a?b=c ${host}`))
    for (const text of texts.slice(2)) expect(text).toContain('is not on the internet')
  })

  it('trusts the certificate authorities of the operator', async () => {
    const { urls, hosts, authority, mayConnect } = await startInternet()
    const extraCertificates = join(await createDataFolder(), 'authority.pem')
    await writeFile(extraCertificates, authority)
    const site = await startWordPress({ mayConnect, extraCertificates })
    await site.signIn()
    await installPlugin(
      site,
      'reach',
      `<?php /* Plugin Name: Reach */ add_action('init', function () {
        if (isset($_GET['reach'])) exit(wp_remote_retrieve_body(wp_safe_remote_get('${urls[1]}')));
      });`,
    )
    expect((await site.browser.get(`${site.origin}/?reach`)).body).toBe(`GET /a?b=c ${hosts[1]}`)
  })

  it('the log says why the console is unreachable', async () => {
    const printed: string[] = []
    const site = await startWordPress({
      consoleUrl: () => 'http://nowhere.invalid',
      output: {
        add: (_key, _source, { text }) => void printed.push(text),
        flush: async () => undefined,
      },
    })
    expect((await site.browser.get(site.origin + signInPath)).status).toBe(502)
    await expect
      .poll(() => printed.join('\n'), longPoll)
      .toContain(
        'Sign-in: status 502 for /configuration: no connection to http://nowhere.invalid: getaddrinfo',
      )
  })

  it('sends emails by the service', async () => {
    const sent: string[] = []
    const site = await startWordPress({
      sendEmail: async (_key, email) => {
        sent.push(email.toString())
        return null
      },
    })
    await site.signIn()
    await installPlugin(
      site,
      'post',
      `<?php /* Plugin Name: Post */ add_action('init', function () {
        if (isset($_GET['post'])) exit(wp_mail('ada@example.com', 'A comment', 'Hello') ? 'sent' : 'not sent');
      });`,
    )
    sent.length = 0
    expect((await site.browser.get(`${site.origin}/?post`)).body).toBe('sent')
    expect(sent).toEqual([expect.stringMatching(/^To: ada@example\.com\r?\nSubject: A comment/)])
  })

  it('Site Health omits the checks of what the service provides', async () => {
    const site = await startWordPress()
    await site.signIn()
    const code = `<?php /* Plugin Name: Checks */
      add_action('wp_loaded', function () {
        if (!isset($_GET['checks'])) return;
        require_once ABSPATH . 'wp-admin/includes/admin.php';
        require_once ABSPATH . 'wp-admin/includes/class-wp-site-health.php';
        $tests = WP_Site_Health::get_tests();
        exit(json_encode(array_keys($tests['direct'] + $tests['async'])));
      });`
    await installPlugin(site, 'checks', code)
    const checks = JSON.parse((await site.browser.get(`${site.origin}/?checks`)).body)
    expect(checks).toContain('php_version')
    expect(checks).toContain('loopback_requests')
    for (const name of ['sql_server', 'utf8mb4_support', 'background_updates'])
      expect(checks).not.toContain(name)
    expect(checks).not.toContain('authorization_header')
  })

  it('reaches itself, as Site Health and the editor of plugins do', async () => {
    const authority = await createCertificateAuthority()
    const certificate = await authority.issue(`${key}.localhost`)
    let isSecure = false
    const site = await startWordPress({
      certificates: { find: () => (isSecure ? certificate : undefined) },
    })
    await site.signIn()
    const code = `<?php /* Plugin Name: Loopback */
      add_action('wp_loaded', function () {
        if (!isset($_GET['loopback'])) return;
        require_once ABSPATH . 'wp-admin/includes/admin.php';
        require_once ABSPATH . 'wp-admin/includes/class-wp-site-health.php';
        exit(json_encode(WP_Site_Health::get_instance()->can_perform_loopback()));
      });`
    await installPlugin(site, 'loopback', code)
    const hosts = [`${key}.localhost:${site.port}`, `${key}.localhost`]
    for (const host of hosts) {
      const { body } = await httpGet({ port: site.port }, '/?loopback', { host })
      expect(JSON.parse(body)).toMatchObject({ status: 'good' })
    }
    isSecure = true
    const { tlsPort = 0 } = site
    const { body } = await httpsGet(tlsPort, '/?loopback', `${key}.localhost:${tlsPort}`)
    expect(JSON.parse(body)).toMatchObject({ status: 'good' })
  })

  it('does not change core, and does not run uploads', async () => {
    const site = await startWordPress()
    await site.signIn()
    await installPlugin(
      site,
      'attack',
      `<?php /* Plugin Name: Attack */ add_action('init', function () {
        if (!isset($_GET['attack'])) return;
        file_put_contents(WP_CONTENT_DIR . '/uploads/shell.php', '<?php echo "run";');
        $core = @file_put_contents(ABSPATH . 'index.php', 'x');
        $ours = @file_put_contents('/slipway/mu-plugins/slipway.php', 'x');
        exit(json_encode([$core, $ours]));
      });`,
    )
    expect((await site.browser.get(`${site.origin}/?attack`)).body).toBe('[false,false]')
    expect((await site.browser.get(`${site.origin}/wp-content/uploads/shell.php`)).status).toBe(404)
    for (const path of [
      '/wp-config.php',
      '/wp-content/db.php',
      '/wp-content/database/wordpress.sqlite',
    ])
      expect((await openBrowser().get(site.origin + path)).body).not.toMatch(/<\?php|SQLite format/)
  })
})
