import { type ClientRequest, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { buffer } from 'node:stream/consumers'

export type HttpReply = {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
  bytes: Buffer
}

const replyOf = (outgoing: ClientRequest): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', (response) => {
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: bytes.toString('utf8'), bytes })
      }, reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

/** A GET on a new connection, to a port or a socket. */
export const httpGet = (
  to: { port: number } | { socketPath: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpReply> => replyOf(request({ ...to, path, headers, agent: false }))

/** A GET over TLS on a new connection to a port of this machine, with any certificate. */
export const httpsGet = (port: number, path: string, host: string): Promise<HttpReply> =>
  replyOf(
    requestTls({
      port,
      path,
      servername: host,
      headers: { host },
      agent: false,
      rejectUnauthorized: false,
    }),
  )
