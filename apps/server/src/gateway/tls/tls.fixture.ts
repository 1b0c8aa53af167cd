import { once } from 'node:events'
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { type RequestOptions, request } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createCertificateAuthority } from '../../testing/certificate-authority.ts'
import { startGateway } from '../gateway.fixture.ts'
import type { GatewayOptions, GatewayTls } from '../gateway.ts'
import type { Certificate } from './certificates.ts'

type Options = Omit<GatewayOptions, 'tls'> & { tls?: Partial<GatewayTls> }

/** A gateway with TLS, and a certificate for `site.test`, closed after the test. */
export async function startTlsGateway({ tls, ...options }: Partial<Options> = {}) {
  const authority = await createCertificateAuthority()
  const certificates = new Map<string, Certificate>()
  certificates.set('site.test', await authority.issue('site.test'))
  const world = await startGateway({
    ...options,
    tls: { port: 0, certificates: { find: (host) => certificates.get(host) }, ...tls },
  })
  const { tlsPort: port } = world

  const connectTls = async (options: ConnectionOptions = {}): Promise<TLSSocket> => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'site.test',
      ca: authority.pem,
      ALPNProtocols: ['http/1.1'],
      ...options,
    })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    return socket
  }

  return {
    ...world,
    authority,
    /** By host; another certificate of a host is a renewed one. */
    certificates,
    connectTls,

    /** The certificate that a client gets for a name. */
    async subjectFor(servername: string | undefined) {
      const socket = await connectTls({ servername: servername ?? '', rejectUnauthorized: false })
      return socket.getPeerCertificate().subject.CN
    },

    async getTls(host: string, path = '/', options: RequestOptions = {}) {
      const outgoing = request({
        port,
        host: '127.0.0.1',
        servername: host,
        ca: authority.pem,
        path,
        agent: false,
        ...options,
        headers: { host, ...options.headers } as Record<string, string>,
      })
      outgoing.end()
      const [response] = await once(outgoing, 'response')
      const body = Buffer.concat(await response.toArray()).toString()
      return { status: Number(response.statusCode), headers: response.headers, body }
    },

    async http2(servername = 'site.test') {
      const session = connectHttp2(`https://${servername}`, {
        createConnection: () =>
          connect({
            port,
            host: '127.0.0.1',
            servername,
            ca: authority.pem,
            ALPNProtocols: ['h2'],
          }),
      })
      session.on('error', () => undefined)
      onTestFinished(() => session.destroy())
      await once(session, 'connect')
      return session
    },
  }
}

/** A request over HTTP/2 and its whole response. */
export async function sendHttp2(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders = {},
  body?: string | Buffer,
) {
  const stream = session.request({ ':path': '/', ...headers }, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  const [received] = await once(stream, 'response')
  const content = Buffer.concat(await stream.toArray()).toString()
  return { status: Number(received[':status']), headers: received, body: content }
}
