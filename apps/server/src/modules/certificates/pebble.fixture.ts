import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer, request } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { hasDebianPackage } from '../../testing/debian-package.ts'
import { freePort } from '../../testing/free-port.ts'
import { until } from '../../testing/until.ts'

// Let's Encrypt's test CA and its DNS server, both real: https://github.com/letsencrypt/pebble

export const hasPebble = () => hasDebianPackage('pebble')

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A self-signed certificate of 127.0.0.1, and its key. */
async function selfSigned() {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test',
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { certificate: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Starts a program that listens on these ports; the output of one that ends early is its error. */
async function start(
  program: string,
  args: readonly string[],
  { ports, environment = {} }: { ports: readonly number[]; environment?: Record<string, string> },
): Promise<ChildProcess> {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000)
    })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended (${child.exitCode})\n${output}`)
    return (await Promise.all(ports.map(listens))).every(Boolean)
  })
  return child
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

export type Pebble = Awaited<ReturnType<typeof startPebble>>

/**
 * Starts Pebble and its DNS server, in which every name has the address 127.0.0.1. HTTP-01 requests
 * go to `httpPort`. `pebble` are settings of its file, `environment` its variables.
 */
export async function startPebble({
  httpPort,
  pebble: settings = {},
  environment = {},
}: {
  httpPort: number
  pebble?: Record<string, unknown>
  environment?: Record<string, string>
}) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-pebble-'))
  const [port, managementPort, dnsPort, dnsManagementPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const tls = await selfSigned()
  const caFile = join(folder, 'ca.pem')
  const file = (name: string) => join(folder, name)
  await writeFile(caFile, `${tls.certificate}\n`)
  await writeFile(file('key.pem'), tls.key)
  await writeFile(
    file('pebble.json'),
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: caFile,
        privateKey: file('key.pem'),
        httpPort,
        tlsPort: await freePort(),
        ...settings,
      },
    }),
  )
  const dns = await start(
    'pebble-challtestsrv',
    [
      ...['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${dnsManagementPort}`],
      ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''],
    ],
    { ports: [dnsPort, dnsManagementPort] },
  )
  const run = () =>
    start('pebble', ['-config', file('pebble.json'), '-dnsserver', `127.0.0.1:${dnsPort}`], {
      ports: [port, managementPort],
      environment: { PEBBLE_VA_NOSLEEP: '1', ...environment },
    })
  let ca = await run()

  /** A request to Pebble's address or its management. */
  const get = (url: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { ca: tls.certificate }, resolve).on('error', reject).end()
    })

  return {
    port,
    tls,
    /** The file of the CA that signs the directory's own certificate. */
    caFile,
    directory: `https://127.0.0.1:${port}/dir`,
    /** The management address of the DNS server, which sets its records. */
    dnsManagement: `http://127.0.0.1:${dnsManagementPort}`,
    /** Changes the DNS: `set-txt`, `clear-txt`, `add-a`, `set-servfail`, … */
    async setDns(action: string, body: object) {
      const url = `http://127.0.0.1:${dnsManagementPort}/${action}`
      await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    },
    /** The status of a certificate, such as `Valid` or `Revoked`, by its serial number in hex. */
    async certificateStatus(serial: string): Promise<{ Status: string; Reason?: number }> {
      const path = `cert-status-by-serial/${serial.replace(/^0+/, '').toLowerCase()}`
      const response = await get(`https://127.0.0.1:${managementPort}/${path}`)
      return (await json(response)) as { Status: string }
    },
    /** The certificate of the root that signs its intermediates, in PEM. */
    root: async () =>
      String(await buffer(await get(`https://127.0.0.1:${managementPort}/roots/0`))),
    /** Stops the CA; the DNS server continues to run. */
    stop: () => stop(ca),
    /** Starts the CA again, without its accounts and orders: it stores none. */
    async restart() {
      await stop(ca)
      ca = await run()
    },
    async close() {
      await stop(ca)
      await stop(dns)
      await rm(folder, { recursive: true })
    },
  }
}

/** A request to the CA on its way through the proxy. */
export type AcmeRequest = {
  /** `dir`, `newNonce`, `newOrder`, `order`, `authz`, `challenge`, `finalize`, `certificate`, … */
  kind: string
  path: string
  /** The payload of a signed request; null for POST-as-GET and others. */
  payload: Record<string, unknown> | null
}
type AcmeResponse = { status: number; headers?: Record<string, string>; body?: unknown }
/** The proxy's response to a request; undefined passes it on to Pebble. */
export type Intercept = (request: AcmeRequest) => Promise<AcmeResponse | 'break' | undefined>
type Rewrite = (request: AcmeRequest, body: Record<string, unknown> | string) => unknown

const kinds: Record<string, string> = {
  dir: 'dir',
  'nonce-plz': 'newNonce',
  'sign-me-up': 'newAccount',
  'my-account': 'account',
  'order-plz': 'newOrder',
  'my-order': 'order',
  authZ: 'authz',
  chalZ: 'challenge',
  'finalize-order': 'finalize',
  certZ: 'certificate',
  'revoke-cert': 'revoke',
}

export type AcmeProxy = Awaited<ReturnType<typeof startAcmeProxy>>

/** A problem document (RFC 7807), as CAs send it. */
export const acmeProblem = (
  status: number,
  type: string,
  detail: string,
  headers: Record<string, string> = {},
): AcmeResponse => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { type: `urn:ietf:params:acme:error:${type}`, detail, status },
})

/**
 * The CA's edge: records each request, and fails, delays or changes it as a test says. Pebble names
 * its resources by the Host header, so a client uses the proxy alone.
 */
export async function startAcmeProxy({ port, tls }: Pebble) {
  const requests: AcmeRequest[] = []
  let intercept: Intercept = async () => undefined
  let rewrite: Rewrite = (_, body) => body
  const server = createServer(
    { cert: tls.certificate, key: tls.key },
    async (incoming, response) => {
      const path = incoming.url ?? '/'
      const content = await buffer(incoming)
      const received = { kind: kindOf(path), path, payload: payloadOf(content) }
      requests.push(received)
      const intercepted = await intercept(received)
      if (intercepted === 'break') return void incoming.socket.destroy()
      if (intercepted) {
        response.writeHead(intercepted.status, intercepted.headers)
        return void response.end(
          typeof intercepted.body === 'string'
            ? intercepted.body
            : JSON.stringify(intercepted.body),
        )
      }
      const forwarded = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method: incoming.method,
          headers: incoming.headers,
          ca: tls.certificate,
        },
        async (caResponse) => {
          const body = await buffer(caResponse)
          const isJson = /json/.test(caResponse.headers['content-type'] ?? '')
          const before = isJson && body.length > 0 ? JSON.parse(String(body)) : String(body)
          // Pebble rejects one nonce in twenty, and the client repeats its request.
          const repeats = before.type === 'urn:ietf:params:acme:error:badNonce'
          if (repeats) requests.splice(requests.indexOf(received), 1)
          const after = repeats ? before : rewrite(received, before)
          const { 'content-length': _, ...headers } = caResponse.headers
          response.writeHead(caResponse.statusCode ?? 502, headers)
          response.end(
            after === before ? body : typeof after === 'string' ? after : JSON.stringify(after),
          )
        },
      )
      forwarded.on('error', () => incoming.socket.destroy())
      forwarded.end(content)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ownPort } = server.address() as AddressInfo
  return {
    directory: `https://127.0.0.1:${ownPort}/dir`,
    origin: `https://127.0.0.1:${ownPort}`,
    requests,
    /** The number of requests of a kind, without those that Pebble rejects for their nonce. */
    count: (kind: string) => requests.filter((each) => each.kind === kind).length,
    intercept(next: Intercept) {
      intercept = next
    },
    rewrite(next: Rewrite) {
      rewrite = next
    },
    /** Forwards everything unchanged again, and clears the recorded requests. */
    reset() {
      intercept = async () => undefined
      rewrite = (_, body) => body
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const kindOf = (path: string) => kinds[path.split('/')[1] ?? ''] ?? path

function payloadOf(content: Buffer): Record<string, unknown> | null {
  if (content.length === 0) return null
  const { payload } = JSON.parse(String(content)) as { payload?: string }
  return payload ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : null
}

/** A web server that serves challenges as a gateway does; `find` has the key authorization. */
export async function startChallengeServer(
  find: (host: string, token: string) => Promise<string | null>,
) {
  const server = createHttpServer(async (incoming, response) => {
    const host = (incoming.headers.host ?? '').replace(/:\d+$/, '')
    const token = /^\/\.well-known\/acme-challenge\/([^/]+)$/.exec(incoming.url ?? '')?.[1]
    const content = token === undefined ? null : await find(host, token)
    response.writeHead(content === null ? 404 : 200).end(content ?? 'not found')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
