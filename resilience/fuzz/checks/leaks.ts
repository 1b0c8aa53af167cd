import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { megabytes } from '../../../bench/harness/table.ts'
import { Finding } from '../finding.ts'
import type { Product } from '../product.ts'

/** Growth of the live heap that a run may cause: caches fill, and code is compiled. */
const maxGrowth = 64e6
/**
 * The server's longest timeout for a request, after which it closes the connections of disconnected
 * clients.
 */
const closedAfter = 60_000

const [established, closeWait] = ['01', '08']

type Connection = { local: number; remote: number; state: string }

/** All TCP connections, by the kernel's tables (proc(5)). */
function connections(): Connection[] {
  const portOf = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16)
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').trim().split('\n').slice(1))
    .map((line) => {
      const [, local, remote, state = ''] = line.trim().split(/\s+/)
      return { local: portOf(local), remote: portOf(remote), state }
    })
}

/**
 * Connections to these ports that the server has not closed although their clients have. Linux
 * only; undefined on other systems.
 */
function abandonedConnections(ports: readonly number[]): string[] | undefined {
  if (process.platform !== 'linux') return undefined
  const all = connections()
  const hasClient = ({ local, remote }: Connection) =>
    all.some((each) => each.local === remote && each.remote === local && each.state === established)
  return all
    .filter(({ local, state }) => ports.includes(local) && [established, closeWait].includes(state))
    .filter((connection) => !hasClient(connection))
    .map(({ local }) => `one at port ${local}`)
}

export type Leaks = {
  heapBefore: number
  heapAfter: number
  /** Undefined on other systems than Linux. */
  openConnections: string[] | undefined
  findings: Finding[]
}

/**
 * Checks that the server closes the connections of disconnected clients, and that its heap is not
 * much larger than `heapMeasured` bytes; undefined if the run ended before its measurement.
 */
export async function checkLeaks(
  { server, rateLimitedServer }: Product,
  heapMeasured: number | undefined,
): Promise<Leaks> {
  const ports = [server.port, server.sitesPort, rateLimitedServer.port]
  const deadline = performance.now() + closedAfter
  let openConnections = abandonedConnections(ports)
  while (openConnections?.length && performance.now() < deadline) {
    await sleep(100)
    openConnections = abandonedConnections(ports)
  }
  const { heapUsed: heapAfter } = await server.memory()
  const heapBefore = heapMeasured ?? heapAfter
  const findings: Finding[] = []
  if (openConnections?.length)
    findings.push(
      new Finding('leak', 'connections', `open a minute later: ${openConnections.join(', ')}`),
    )
  if (heapAfter - heapBefore > maxGrowth)
    findings.push(
      new Finding(
        'leak',
        'memory',
        `the live heap grew from ${megabytes(heapBefore)} to ${megabytes(heapAfter)}`,
      ),
    )
  return { heapBefore, heapAfter, openConnections, findings }
}
