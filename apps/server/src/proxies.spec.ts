import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { createRelease } from '@slipway/contract/releases'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from './gateway/gateway.fixture.ts'
import { socketTicket } from './http/socket.fixture.ts'
import { root } from './root.ts'
import { zipOf } from './testing/archives.ts'
import { createCertificateAuthority } from './testing/certificate-authority.ts'
import { createDataFolder } from './testing/data-folder.ts'
import { hasDebianPackage } from './testing/debian-package.ts'
import { freePort } from './testing/free-port.ts'
import { until } from './testing/until.ts'
import { createWorld, type World } from './testing/world.ts'

const consoleHost = 'console.example.com'
const sitesDomain = 'sites.example.com'
const ownDomain = 'shop.example.net'
/** The address of the visitor, from which the tests connect. */
const visitor = '127.0.0.5'

let world: World
afterEach(() => world.close())

/** The configuration in the documentation, with the ports and folders of a test. */
async function configurationOf(language: string, replacements: Record<string, string>) {
  const text = await readFile(join(root, 'docs/proxies.md'), 'utf8')
  let [, block = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text) ?? []
  for (const [from, to] of Object.entries(replacements)) {
    if (!block.includes(from)) throw new Error(`The configuration of ${language} has no ${from}`)
    block = block.replaceAll(from, to)
  }
  return block
}

/** Starts a proxy and waits until it listens. */
async function startProxy(command: string, args: string[], folder: string, port: number) {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => output.push(String(chunk)))
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(output.join(''))
    return new Promise<boolean>((resolve) => {
      const socket = connectTls({
        port,
        host: '127.0.0.1',
        servername: consoleHost,
        rejectUnauthorized: false,
      })
      socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => resolve(false)).once('secureConnect', () => socket.destroy())
    })
  })
}

/** The console and the site gateway of the settings in the documentation. */
async function startService() {
  world = await createWorld(
    {
      PUBLIC_URL: `https://${consoleHost}`,
      SITES_DOMAIN: sitesDomain,
      SITES_URL: `https://${sitesDomain}`,
      TRUST_PROXY: ['127.0.0.1'],
    },
    new Date(),
  )
  const consolePort = await world.listen()
  const owner = await world.user()
  const project = await world.project({ teamId: owner.teamId, domain: ownDomain })
  const gateway = await startGateway({
    protocol: 'https',
    connections: { total: 0, perAddress: 0, isProxy: (address) => address === '127.0.0.1' },
  })
  await gateway.site((request, response) =>
    response.end(
      `${request.headers.host} ${request.headers['x-forwarded-for']} ${request.headers['x-forwarded-proto']}`,
    ),
  )
  const siteHost = `${project.key}.${sitesDomain}`
  for (const host of [siteHost, ownDomain])
    gateway.routes.set(host, { key: 'site', cluster: 'local', state: 'ready' })
  return { consolePort, sitesPort: gateway.port, owner, project, siteHost }
}

type Service = Awaited<ReturnType<typeof startService>>

async function send(
  port: number,
  host: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
) {
  const { method = 'GET', headers = {}, body } = options
  const outgoing = request({
    ...{ host: '127.0.0.1', port, path, method, localAddress: visitor, agent: false },
    servername: host,
    headers: { host, ...headers, ...(body ? { 'content-length': body.length } : {}) },
    rejectUnauthorized: false,
  })
  const received = once(outgoing, 'response')
  outgoing.end(body)
  const [response] = await received
  return { status: response.statusCode, body: String(await buffer(response)) }
}

async function statusOverHttp2(port: number, host: string, path: string) {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    servername: host,
    rejectUnauthorized: false,
  })
  try {
    const stream = session.request({ ':path': path, ':authority': host })
    const [headers] = await once(stream, 'response')
    return headers[':status']
  } finally {
    session.destroy()
  }
}

/** Opens the console's socket through the proxy. */
async function statusOfUpgrade(port: number, ticket: string) {
  const outgoing = request({
    ...{ host: '127.0.0.1', port, path: `/api/common/ws?token=${ticket}`, agent: false },
    servername: consoleHost,
    rejectUnauthorized: false,
    headers: {
      host: consoleHost,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
  })
  outgoing.end()
  const response = await Promise.race([
    once(outgoing, 'upgrade').then(([received, socket]) => {
      socket.destroy()
      return received
    }),
    once(outgoing, 'response').then(([received]) => received),
  ])
  return response.statusCode
}

/** Expects every property that the documentation names as tested. */
async function expectProxied(port: number, { consolePort, owner, project, siteHost }: Service) {
  expect(await statusOverHttp2(port, consoleHost, '/healthz')).toBe(200)
  expect(await statusOfUpgrade(port, await socketTicket(consolePort, owner.token))).toBe(101)
  for (const host of [siteHost, ownDomain]) {
    const { body } = await send(port, host, '/', { headers: { 'x-forwarded-for': '6.6.6.6' } })
    expect(body).toBe(`${host} ${visitor} https`)
    expect(await statusOverHttp2(port, host, '/')).toBe(200)
  }
  const release = await send(
    port,
    consoleHost,
    `/api${createRelease.path.replace(':id', project.id)}?runtime=static`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/zip' },
      // Larger than proxies accept or buffer by default; random bytes do not compress.
      body: zipOf({ 'index.html': 'Hello', 'picture.jpg': randomBytes(3_000_000) }),
    },
  )
  expect(release).toMatchObject({ status: 200 })
  // Only the visitor is counted for the limits, and the proxy is trusted.
  const ready = await fetch(`http://127.0.0.1:${consolePort}/readyz`)
  expect(await ready.json()).not.toHaveProperty('proxy')
}

async function createFolder() {
  const folder = await createDataFolder()
  // Proxies that start as root read the folder as another user.
  await chmod(folder, 0o755)
  return folder
}

const [hasCaddy, hasNginx, hasHaproxy] = [
  await hasDebianPackage('caddy'),
  await hasDebianPackage('/usr/sbin/nginx', 'nginx-light'),
  await hasDebianPackage('haproxy'),
]

describe('the documented configuration', () => {
  it.skipIf(!hasCaddy)(
    'Caddy serves the console and sites, with certificates for both only',
    async () => {
      const service = await startService()
      const folder = await createFolder()
      const port = await freePort()
      const config = await configurationOf('caddy', {
        '127.0.0.1:3000': `127.0.0.1:${service.consolePort}`,
        '127.0.0.1:8080': `127.0.0.1:${service.sitesPort}`,
      })
      // Caddy's own authority in place of Let's Encrypt.
      const ofTest = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttps_port ${port}\n\tauto_https disable_redirects\n`
      await writeFile(join(folder, 'Caddyfile'), config.replace('{\n', ofTest))
      await startProxy('caddy', ['run', '--config', join(folder, 'Caddyfile')], folder, port)
      await expectProxied(port, service)
      await expect(send(port, 'unknown.example.net', '/')).rejects.toThrow()
    },
  )

  it.skipIf(!hasNginx)('nginx serves the console and sites', async () => {
    const service = await startService()
    const folder = await createFolder()
    const port = await freePort()
    const authority = await createCertificateAuthority()
    for (const [name, ...names] of [
      [consoleHost],
      [sitesDomain, `*.${sitesDomain}`],
      [ownDomain],
    ]) {
      const { certificate, key } = await authority.issue(name ?? '', ...names)
      await writeFile(join(folder, `${name}.pem`), certificate)
      await writeFile(join(folder, `${name}.key`), key)
    }
    const config = await configurationOf('nginx', {
      'listen 80': `listen ${await freePort()}`,
      'listen 443': `listen ${port}`,
      '/etc/ssl/slipway': folder,
      '127.0.0.1:3000': `127.0.0.1:${service.consolePort}`,
      '127.0.0.1:8080': `127.0.0.1:${service.sitesPort}`,
      'http {\n': `http {\naccess_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}\n`,
    })
    await writeFile(join(folder, 'nginx.conf'), config)
    const directives = `daemon off; pid ${folder}/pid; error_log stderr;`
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', directives, '-e', 'stderr']
    await startProxy('nginx', args, folder, port)
    await expectProxied(port, service)
    await expect(send(port, 'unknown.example.net', '/')).rejects.toThrow()
  })

  it.skipIf(!hasHaproxy)('HAProxy serves the console and sites', async () => {
    const service = await startService()
    const folder = await createFolder()
    const port = await freePort()
    const authority = await createCertificateAuthority()
    const certificates = join(folder, 'certs')
    await mkdir(certificates)
    for (const name of [consoleHost, `*.${sitesDomain}`, ownDomain]) {
      const { certificate, key } = await authority.issue(name)
      await writeFile(join(certificates, `${name.replace('*.', '')}.pem`), `${certificate}\n${key}`)
    }
    const config = await configurationOf('haproxy', {
      'bind :80': `bind :${await freePort()}`,
      'bind :443': `bind :${port}`,
      '/etc/haproxy/certs/': certificates,
      '127.0.0.1:3000': `127.0.0.1:${service.consolePort}`,
      '127.0.0.1:8080': `127.0.0.1:${service.sitesPort}`,
    })
    await writeFile(join(folder, 'haproxy.cfg'), config)
    await startProxy('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], folder, port)
    await expectProxied(port, service)
  })
})
