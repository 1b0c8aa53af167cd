import { Pool } from 'undici'

export type Gateway = { host: string; port: number }

const timeoutMs = 2_000
const longestAnswer = 4_096
const connections = 32

/** Where to reach a server that listens on every address. */
const reachableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::' || host === '[::]') return '[::1]'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

const saysOk = (body: string): boolean => {
  try {
    const health = JSON.parse(body) as { status?: unknown } | null
    return health?.status === 'ok'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const readShort = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > longestAnswer) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Asks sites how they are, the way their visitors reach them: through the gateway, by host name. */
export const createHealthCheck = (gateway: () => Gateway) => {
  let pool: Pool | null = null
  let origin = ''

  const poolFor = ({ host, port }: Gateway): Pool => {
    const wanted = `http://${reachableHost(host)}:${port}`
    if (!pool || origin !== wanted) {
      pool?.close()
      pool = new Pool(wanted, { connections, connect: { timeout: timeoutMs } })
      origin = wanted
    }
    return pool
  }

  return {
    /** True when the host is answered by the site of this key, in good health. */
    async answers(host: string, key: string): Promise<boolean> {
      try {
        const { statusCode, headers, body } = await poolFor(gateway()).request({
          path: '/healthz',
          method: 'GET',
          headers: { host, accept: 'application/json' },
          signal: AbortSignal.timeout(timeoutMs),
        })
        const text = await readShort(body)
        // Only the gateway says which project's site answered: a site cannot pass for another one.
        return statusCode === 200 && headers['x-slipway-project'] === key && saysOk(text)
      } catch (error) {
        // Not reached, or not in time: the answer to the question is no.
        if (error instanceof Error) return false
        throw error
      }
    },
    async close(): Promise<void> {
      await pool?.destroy()
    },
  }
}
