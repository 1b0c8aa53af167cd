import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createArtifactLayout } from '../../../artifacts/artifact-layout.ts'
import { root } from '../../../root.ts'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { createEngineGateway } from '../../../testing/engine-gateway.ts'
import { createLogBook } from '../../../testing/log-book.ts'
import { hasSandbox } from '../../../testing/sandbox.ts'
import { pollOptions, until } from '../../../testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../../testing/wordpress.ts'
import { createLayout } from '../local/files/layout.ts'
import { instance } from '../local/fixtures/local-engine.fixture.ts'
import { findPhpFpm } from '../local/runtimes/php/find-php.ts'
import { requestWordPress } from '../local/runtimes/wordpress/requests.ts'
import { openBrowser } from '../local/starter-site/browser.fixture.ts'
import { startLoginProvider } from '../local/starter-site/login-provider.fixture.ts'
import { wordPressRuntime } from './runtimes/wordpress.runtime.ts'

const wordPress = (await hasSandbox()) ? await findWordPress() : null
const fpm = findPhpFpm()

const bubblewrap = '/usr/bin/bwrap'
const key = 'blog'
const signInPath = '/yk/app/auth/oauth/cloud'

/** The files that the image has at `/slipway` (deploy/runtimes/php/Containerfile). */
async function imageFiles() {
  const folder = await createDataFolder()
  const runtimes = join(root, 'apps/server/src/engines/hosting/local/runtimes')
  await cp(join(runtimes, 'wordpress/files'), folder, { recursive: true })
  await cp(join(runtimes, 'php/php-fpm.conf'), join(folder, 'php-fpm.conf'))
  // Each request confirms the session, not one a minute.
  const plugin = join(folder, 'mu-plugins/slipway.php')
  const code = await readFile(plugin, 'utf8')
  const edited = code.replace(
    'const CONFIRMED_TIME = MINUTE_IN_SECONDS;',
    'const CONFIRMED_TIME = 0;',
  )
  if (edited === code) throw new Error('the plugin has no CONFIRMED_TIME')
  await writeFile(plugin, edited)
  return folder
}

/** WordPress as a pod runs it: with a network, and without the socket of the local engine. */
async function startPod() {
  if (!wordPress || !fpm) throw new Error('WordPress or php-fpm is missing')
  const dataDir = await createDataFolder()
  const artifact = await wordPressArtifact(wordPress)
  await artifact.install(dataDir)
  const { data, socket } = createLayout(dataDir).site(key)
  await mkdir(data, { recursive: true })
  await mkdir(dirname(socket), { recursive: true })
  await symlink(join(data, 'fpm.sock'), socket)

  const php = { artifact: artifact.digest, runtime: 'wordpress' } as const
  const gateway = createEngineGateway(dataDir, {
    routes: { find: () => ({ key, cluster: 'east', state: 'ready', php }) },
    log: createLogBook().log,
  })
  const { port } = await gateway.listen()
  onTestFinished(() => gateway.close())
  const origin = `http://${key}.localhost:${port}`
  const provider = await startLoginProvider({
    id: key,
    secret: 'secret',
    redirectUris: [`${origin}${signInPath}/callback`],
  })

  const site = instance(key, {
    runtime: 'wordpress',
    artifact: artifact.digest,
    signIn: { issuer: provider.issuer, clientId: key, clientSecret: 'secret' },
  })
  const images = { node: 'node', php: 'php' }
  const runtime = wordPressRuntime(images, async () => ({ url: '', token: '' }))
  const program = await runtime.program?.(site, null)
  if (!program) throw new Error('WordPress has no program')
  const [, ...args] = program.command ?? []
  const { files } = createArtifactLayout(dataDir).artifact(artifact.digest)
  const container = spawn(
    bubblewrap,
    [
      ...['--die-with-parent', '--unshare-user', '--uid', '1000', '--gid', '1000', '--unshare-pid'],
      ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'],
      ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => [
        '--symlink',
        `usr/${name}`,
        `/${name}`,
      ]),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...['--ro-bind', await imageFiles(), '/slipway', '--ro-bind', files, '/app'],
      ...['--symlink', '/slipway/wp-config.php', '/wp-config.php'],
      ...['--symlink', '/app/wp-content/plugins/sqlite-database-integration', '/sqlite'],
      ...['--bind', data, '/data', '--chdir', '/app', fpm.path, ...args],
    ],
    {
      env: { PATH: process.env.PATH, ...program.env, SLIPWAY_LISTEN: '/data/fpm.sock' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const printed: string[] = []
  container.stderr?.on('data', (chunk) => printed.push(String(chunk)))
  onTestFinished(async () => {
    container.kill('SIGKILL')
    await once(container, 'exit')
  })

  const signal = AbortSignal.timeout(200_000)
  const health = () => requestWordPress({ path: socket }, '/slipway/health.php', site, signal)
  await until(async () => (await health())?.status === 200)
  return { origin, provider, printed }
}

describe.skipIf(!wordPress)('WordPress in a pod', { timeout: 300_000 }, () => {
  it('redeems a code and confirms each session at the login provider', async () => {
    const { origin, provider, printed } = await startPod()
    const browser = openBrowser()
    const dashboard = () => browser.get(`${origin}/wp-admin/`)
    const signIn = async () => {
      const { status, url } = await browser.follow(origin + signInPath)
      return [status, url.pathname]
    }
    expect(await signIn()).toEqual([200, '/wp-admin/'])
    expect(provider.exchanges).toBe(1)
    expect((await dashboard()).status).toBe(200)

    provider.revokeTokens()
    expect((await dashboard()).location?.pathname).toBe('/wp-login.php')

    expect(await signIn()).toEqual([200, '/wp-admin/'])
    provider.close()
    expect((await dashboard()).status).toBe(403)
    expect((await browser.get(origin + signInPath)).status).toBe(502)
    const reason = `Sign-in: no connection to ${provider.issuer}/.well-known/openid-configuration:`
    await expect.poll(() => printed.join(''), pollOptions).toContain(reason)
  })
})
