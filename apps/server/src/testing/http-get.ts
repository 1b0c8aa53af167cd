import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export type HttpReply = {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
  bytes: Buffer
}

/** A GET on a new connection, to a port or a socket. */
export const httpGet = (
  to: { port: number } | { socketPath: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ ...to, path, headers, agent: false }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: bytes.toString('utf8'), bytes })
      }, reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
