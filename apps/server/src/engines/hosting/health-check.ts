import { Pool } from 'undici'
import { healthCheckAgent } from '../../health-check-agent.ts'
import type { Probe } from './engine.ts'

export type Gateway = { host: string; port: number }

const connectTimeoutMs = 2_000
/** The first page of a real site takes seconds after a start: it compiles, or fills its caches. */
const pageTimeoutMs = 10_000
const maxBodyBytes = 4_096
const connections = 32

/** A host to connect to, for a server that listens on every address. */
const reachableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::' || host === '[::]') return '[::1]'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

const readShort = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBodyBytes) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Health checks of sites through the gateway, by host name, as visitors reach them. */
export const createHealthCheck = (gateway: () => Gateway) => {
  let pool: Pool | null = null
  let origin = ''

  const poolFor = ({ host, port }: Gateway): Pool => {
    const currentOrigin = `http://${reachableHost(host)}:${port}`
    if (!pool || origin !== currentOrigin) {
      pool?.close()
      pool = new Pool(currentOrigin, { connections, connect: { timeout: connectTimeoutMs } })
      origin = currentOrigin
    }
    return pool
  }

  /** The response to a path of the host; null when it is unreachable or times out. */
  async function request(host: string, path: string, timeoutMs: number) {
    try {
      const { statusCode, headers, body } = await poolFor(gateway()).request({
        path,
        method: 'GET',
        headers: { host, accept: 'application/json', 'user-agent': healthCheckAgent },
        signal: AbortSignal.timeout(timeoutMs),
      })
      // Only the gateway sets the header: a site cannot impersonate another.
      return { statusCode, key: headers['x-slipway-project'], text: await readShort(body) }
    } catch (error) {
      if (error instanceof Error) return null
      throw error
    }
  }

  return {
    /**
     * True when the host leads to the site of this key and the site passes its probe within
     * `timeoutMs`, ten seconds by default.
     */
    async isHealthy(
      host: string,
      key: string,
      probe: Probe,
      timeoutMs = pageTimeoutMs,
    ): Promise<boolean> {
      const response = await request(host, probe.path, timeoutMs)
      return response?.key === key && probe.isHealthy(response.statusCode, response.text)
    },
    async close(): Promise<void> {
      await pool?.destroy()
    },
  }
}
