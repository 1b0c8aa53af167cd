import { request } from 'node:http'

export type HttpReply = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** One GET on a connection of its own, to a port or to a socket. */
export const httpGet = (
  to: { port: number } | { socketPath: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ ...to, path, headers, agent: false }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text) => {
        body += text
      })
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
