import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../root.ts'
import { createDataFolder } from '../../testing/data-folder.ts'
import { hasDebianPackage } from '../../testing/debian-package.ts'
import { freePort } from '../../testing/free-port.ts'
import { until } from '../../testing/until.ts'
import { createMemberBrowser, respondTo } from './login-provider.clients.fixture.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

const modules = '/usr/lib/apache2/modules'
const hasApache = await hasDebianPackage(
  `${modules}/mod_auth_openidc.so`,
  'libapache2-mod-auth-openidc',
)
const hasAuthlib = await hasDebianPackage(
  '/usr/lib/python3/dist-packages/authlib',
  'python3-authlib python3-requests',
)

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

/** An Apache whose only page needs a login, with the settings in the documentation. */
async function apacheConfiguration(folder: string, port: number, client: Credentials) {
  const names = [
    'mpm_event',
    'authn_core',
    'authz_core',
    'authz_user',
    'dir',
    'headers',
    'auth_openidc',
  ]
  const docs = await readFile(join(root, 'docs/clients.md'), 'utf8')
  const [, settings = ''] = /```apache\n(.*?)```/s.exec(docs) ?? []
  return `ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup' : ''}
${names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
# A browser sends "navigate"; Node sends "cors", which gets 401 instead of a redirect.
RequestHeader unset Sec-Fetch-Mode early
DocumentRoot ${folder}/pages
OIDCInfoHook userinfo id_token
${settings
  .replaceAll('https://console.example.com', provider.world.env.PUBLIC_URL)
  .replaceAll('https://app.example.com', `http://localhost:${port}`)
  .replaceAll('CLIENT_ID', client.clientId)}`
}

type Credentials = Awaited<ReturnType<Provider['newClient']>>

async function startApache(client: Credentials) {
  const folder = await createDataFolder()
  const port = await freePort()
  await mkdir(join(folder, 'pages'))
  await writeFile(join(folder, 'pages/index.html'), 'The page behind the login')
  const file = join(folder, 'apache.conf')
  await writeFile(file, await apacheConfiguration(folder, port, client))
  const child = spawn('/usr/sbin/apache2', ['-f', file, '-X'], {
    env: { SLIPWAY_SECRET: client.secret, SLIPWAY_PASSPHRASE: 'a passphrase of this test' },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  })
  const origin = `http://localhost:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Apache ended with ${child.exitCode}`)
    const response = await fetch(origin, { redirect: 'manual' }).catch(() => undefined)
    // The reason is in Apache's log, which is removed with the folder.
    if (response && response.status !== 302)
      throw new Error(await readFile(join(folder, 'error.log'), 'utf8'))
    return response !== undefined
  })
  return origin
}

/** Signs in with Authlib: prints the URL of the request, reads the URL of the response. */
const python = `
import json, os, sys
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt
from authlib.oidc.core import CodeIDToken

session = OAuth2Session(os.environ['CLIENT_ID'], os.environ['CLIENT_SECRET'],
    scope='openid profile email offline_access', redirect_uri=os.environ['REDIRECT_URI'],
    code_challenge_method='S256')
metadata = session.get(os.environ['ISSUER'] + '/.well-known/openid-configuration', withhold_token=True).json()
session.metadata['token_endpoint'] = metadata['token_endpoint']
verifier = 'v' * 48
url, state = session.create_authorization_url(metadata['authorization_endpoint'], code_verifier=verifier)
print(url, flush=True)
token = session.fetch_token(metadata['token_endpoint'],
    authorization_response=sys.stdin.readline().strip(), state=state, code_verifier=verifier)
keys = session.get(metadata['jwks_uri'], withhold_token=True).json()
claims = jwt.decode(token['id_token'], keys, claims_cls=CodeIDToken,
    claims_options={'iss': {'value': metadata['issuer']}, 'aud': {'value': session.client_id}})
claims.validate()
info = session.get(metadata['userinfo_endpoint']).json()
refreshed = session.refresh_token(metadata['token_endpoint'], refresh_token=token['refresh_token'])
print(json.dumps({'sub': claims['sub'], 'email': info['email'],
    'rotated': refreshed['refresh_token'] != token['refresh_token']}), flush=True)
`

describe('signing in with a client of Debian', () => {
  it.skipIf(!hasApache)('works with mod_auth_openidc of Apache', async () => {
    const { member, newClient } = provider
    const origin = await startApache(
      await newClient({ redirectUris: ['http://localhost/callback'] }),
    )
    const { visit, signIn } = createMemberBrowser(provider)
    const page = await signIn(`${origin}/`)
    expect(page.body).toBe('The page behind the login')
    const { id_token, userinfo } = JSON.parse((await visit(`${origin}/callback?info=json`)).body)
    expect(id_token).toMatchObject({ sub: member.id })
    expect(userinfo).toMatchObject({ sub: member.id, email: member.email })
  })

  it.skipIf(!hasAuthlib)('works with Authlib of Python, with a refresh token', async () => {
    const { world, member, newClient } = provider
    const client = await newClient({ redirectUris: ['http://localhost/callback'] })
    const child = spawn('/usr/bin/python3', ['-c', python], {
      env: {
        ...process.env,
        // Plain HTTP, on this machine alone.
        AUTHLIB_INSECURE_TRANSPORT: '1',
        ISSUER: world.env.PUBLIC_URL,
        CLIENT_ID: client.clientId,
        CLIENT_SECRET: client.secret,
        REDIRECT_URI: client.redirectUri,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const { redirectUri, parameters } = await respondTo(provider, (await lines.next()).value ?? '')
    child.stdin.end(`${redirectUri}?${new URLSearchParams(parameters)}\n`)
    expect(JSON.parse((await lines.next()).value ?? '{}')).toEqual({
      sub: member.id,
      email: member.email,
      rotated: true,
    })
  })
})
