import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { getProfile } from '@slipway/contract/account'
import { createSocketTicket, socketPath } from '@slipway/contract/events'
import { createProject, listProjects } from '@slipway/contract/projects'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createCertificateAuthority } from './testing/certificate-authority.ts'
import { freePort } from './testing/free-port.ts'
import { createWorld, type World } from './testing/world.ts'

const host = 'console.test'

let folder: string
let world: World
let tlsPort: number
let ca: string

// One process, as `npm start` runs it, with the certificate of the console from files.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-console-tls-'))
  const authority = await createCertificateAuthority()
  const { certificate, key } = await authority.issue(host)
  await writeFile(join(folder, 'chain.pem'), certificate)
  await writeFile(join(folder, 'key.pem'), key)
  ca = authority.pem
  tlsPort = await freePort()
  world = await createWorld({
    PUBLIC_URL: `https://${host}`,
    SITES_TLS_PORT: tlsPort,
    CONSOLE_TLS_CERTIFICATE: join(folder, 'chain.pem'),
    CONSOLE_TLS_KEY: join(folder, 'key.pem'),
  })
  await world.app.host()
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const toGateway = () => ({ host: '127.0.0.1', port: tlsPort, servername: host, ca })

async function openHttp2() {
  const session = connectHttp2(`https://127.0.0.1:${tlsPort}`, { servername: host, ca })
  await once(session, 'connect')
  const call = async (method: string, path: string, body?: object, token?: string) => {
    const stream = session.request({
      ':method': method,
      ':path': `/api${path}`,
      ':authority': host,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    })
    stream.end(body && JSON.stringify(body))
    const [headers] = await once(stream, 'response')
    return { status: headers[':status'], headers, body: (await stream.toArray()).join('') }
  }
  return { session, call }
}

it('the gateway serves the API at the host of PUBLIC_URL, over HTTP/2', async () => {
  const user = await world.user()
  const { session, call } = await openHttp2()
  const profile = await call('GET', getProfile.path, undefined, user.token)
  expect([profile.status, JSON.parse(profile.body).email]).toEqual([200, user.email])
  expect(profile.headers['strict-transport-security']).toBeDefined()
  const body = { name: 'Over TLS', teamId: user.teamId, regionId: 'eu', domain: null }
  const created = await call('POST', createProject.path, body, user.token)
  expect(created.status).toBe(200)
  expect(await user.call(listProjects)).toHaveLength(1)
  expect((await call('POST', createProject.path, body)).status).toBe(401)
  session.destroy()
})

it('the gateway serves the API over HTTP/1.1, too, but not at an IP address over http', async () => {
  const outgoing = request({ ...toGateway(), path: '/healthz', headers: { host }, agent: false })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  response.resume()
  expect(response.statusCode).toBe(200)
  const plain = await fetch(`http://127.0.0.1:${world.env.SITES_PORT}/healthz`, {
    redirect: 'manual',
  })
  expect(plain.status).toBe(404)
})

it('the gateway opens the socket of the console', async () => {
  const user = await world.user()
  const { ticket } = await user.call(createSocketTicket)
  const socket = connect(toGateway())
  onTestFinished(() => void socket.destroy())
  const head = [
    `GET /api${socketPath}?token=${ticket} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [response] = await once(socket.setEncoding('latin1'), 'data')
  expect(response).toMatch(/^HTTP\/1\.1 101 /)
  expect(response).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
})

it('the gateway treats an upgrade at a path without a socket as a plain request', async () => {
  const outgoing = request({
    ...toGateway(),
    path: '/healthz',
    agent: false,
    headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
  })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  response.resume()
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close'])
})
