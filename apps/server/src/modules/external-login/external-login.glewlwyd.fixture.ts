import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { createBrowser } from '../../testing/browser.ts'
import { freePort } from '../../testing/free-port.ts'
import { until } from '../../testing/until.ts'

export const clientId = 'slipway'
// Glewlwyd does not decode a secret in the header (RFC 6749 §2.3.1), so it has letters alone.
export const clientSecret = 'asecretofthistest'

const tables = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const scope = ['openid', 'email', 'profile']
const password = 'a password of this test'

/** The plugin for OpenID Connect, which signs with a key of this test. */
function pluginOf(issuer: string, verifiedEmail: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return {
    module: 'oidc',
    name: 'oidc',
    parameters: {
      iss: issuer,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      key: privateKey,
      cert: publicKey,
      'access-token-duration': 3600,
      'refresh-token-duration': 3600,
      'code-duration': 600,
      'auth-type-code-enabled': true,
      'pkce-allowed': true,
      'subject-type': 'public',
      'name-claim': 'mandatory',
      'email-claim': 'mandatory',
      claims: [
        {
          name: 'email_verified',
          'user-property': 'email',
          type: 'boolean',
          'boolean-value-true': verifiedEmail,
          'boolean-value-false': 'unverified',
          mandatory: true,
          scope: [],
        },
      ],
    },
  }
}

/** Glewlwyd of Debian, an OpenID provider in C, with its own database in a temporary folder. */
export async function startGlewlwyd() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-glewlwyd-'))
  const database = join(folder, 'database')
  const creation = promisify(execFile)('sqlite3', [database])
  creation.child.stdin?.end(readFileSync(tables))
  await creation
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const configuration = join(folder, 'glewlwyd.conf')
  const modules = { user: 'user', client: 'client', user_auth_scheme: 'scheme', plugin: 'plugin' }
  await writeFile(
    configuration,
    `port=${port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="ERROR"
session_expiration=3600
admin_scope="g_admin"
profile_scope="g_profile"
login_api_enabled=true
hash_algorithm="SHA512"
database={ type="sqlite3"; path="${database}" };
${Object.entries(modules)
  .map(([name, path]) => `${name}_module_path="/usr/lib/glewlwyd/${path}"`)
  .join('\n')}
`,
  )
  const child = spawn('/usr/bin/glewlwyd', ['-c', configuration], { stdio: 'ignore' })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Glewlwyd ended with ${child.exitCode}`)
    return fetch(`${origin}/api/auth/`).then(
      () => true,
      () => false,
    )
  })

  /** Calls its API; returns the cookie of a new session. */
  async function call(method: 'POST' | 'PUT', path: string, body: object, cookie = '') {
    const response = await fetch(`${origin}/api/${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }

  return {
    issuer: `${origin}/api/oidc`,

    /** Registers the client, and an account whose address is verified. */
    async register(callback: string, user: { username: string; name: string; email: string }) {
      const admin = await call('POST', 'auth/', { username: 'admin', password: 'password' })
      await call('POST', 'mod/plugin/', pluginOf(`${origin}/api/oidc`, user.email), admin)
      for (const name of ['email', 'profile'])
        await call('POST', 'scope/', { name, password_required: true, scheme: {} }, admin)
      const client = {
        client_id: clientId,
        password: clientSecret,
        confidential: true,
        enabled: true,
        redirect_uri: [callback],
        authorization_type: ['code'],
        token_endpoint_auth_method: ['client_secret_basic'],
        scope,
      }
      await call('POST', 'client/', client, admin)
      await call('POST', 'user/', { ...user, password, enabled: true, scope }, admin)
    },

    /** Logs in and consents with the calls of its own page, and follows the redirect back. */
    async signIn({ visit, cookies }: ReturnType<typeof createBrowser>, url: string, user: string) {
      const login = await visit(url)
      const session = await call('POST', 'auth/', { username: user, password })
      await call('PUT', `auth/grant/${clientId}`, { scope: scope.join(' ') }, session)
      cookies.set('glewlwyd', { value: session, path: '/api/oidc/' })
      return visit(`${login.url.searchParams.get('callback_url')}&g_continue`)
    },

    async close() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}
