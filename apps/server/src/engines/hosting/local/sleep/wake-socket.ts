import { rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { WakeResult } from '../../engine.ts'
import { isKey } from '../files/layout.ts'
import { shareSocket } from '../process/shared-socket.ts'

/** Longer than the engine needs to wake a site. */
const timeoutMs = 30_000

/**
 * Accepts wake-ups from gateways in other processes on a Unix socket, while this process runs the
 * sites. Replaces the socket of a killed server. The members of `group` may connect.
 */
export const serveWakeUps = async (
  socketPath: string,
  group: number | null,
  wake: (key: string) => Promise<WakeResult>,
): Promise<{ close(): Promise<void> }> => {
  const server = createServer((incoming, response) => {
    const key = (incoming.url ?? '').slice(1)
    if (incoming.method !== 'POST' || !isKey(key)) {
      response.writeHead(404).end()
      return
    }
    void wake(key).then((wakefulness) => response.end(wakefulness))
  })
  await rm(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  // Sites run as other users, and cannot connect.
  await shareSocket(socketPath, group)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // A gateway whose request is cut off tries the site itself.
        server.closeAllConnections()
      }),
  }
}

const agent = new Agent({ keepAlive: true })

/** Requests a wake-up from the process that runs the sites; `unknown` if no process runs them. */
export const requestWakeUp = (socketPath: string, key: string): Promise<WakeResult> =>
  new Promise((resolve) => {
    const outgoing = request(
      { socketPath, agent, method: 'POST', path: `/${key}`, timeout: timeoutMs },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('close', () =>
          resolve(text === 'awake' || text === 'not_running' ? text : 'unknown'),
        )
      },
    )
    outgoing.on('timeout', () => outgoing.destroy())
    // The socket has no listener, or its process was killed.
    outgoing.on('error', () => resolve('unknown'))
    outgoing.end()
  })
