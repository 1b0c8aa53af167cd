import { request } from 'node:http'

export type HttpReply = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** A GET on a new connection, to a port or a socket. */
export const httpGet = (
  to: { port: number } | { socketPath: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ ...to, path, headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text) => {
        body += text
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
