import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { megabytes } from '../../../bench/harness/table.ts'
import { Find } from '../find.ts'
import type { Product } from '../product.ts'

/** Growth of the live heap that a run may cause: caches fill, and code is compiled. */
const mostGrowth = 64e6
/** By then the server has closed what its clients have left: its longest timeout for a request. */
const closedAfter = 60_000

/** The states of connections that the server has not closed, by their number in the kernel. */
const openStates: Record<string, string> = { '01': 'ESTABLISHED', '08': 'CLOSE_WAIT' }

/**
 * Connections to these ports that the server has not closed, by the kernel's tables (proc(5)).
 * Linux only; elsewhere undefined.
 */
function openConnections(ports: readonly number[]): string[] | undefined {
  if (process.platform !== 'linux') return undefined
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').trim().split('\n').slice(1))
    .flatMap((line) => {
      const [, local = '', , state = ''] = line.trim().split(/\s+/)
      const port = Number.parseInt(local.split(':')[1] ?? '', 16)
      const name = openStates[state]
      return name !== undefined && ports.includes(port) ? [`${name} at port ${port}`] : []
    })
}

export type Leaks = {
  heapBefore: number
  heapAfter: number
  /** Undefined where the system does not tell. */
  connections: string[] | undefined
  finds: Find[]
}

/** Checks that the server keeps neither memory nor connections of clients that left. */
export async function checkLeaks({ server, limited }: Product, heapBefore: number): Promise<Leaks> {
  const ports = [server.port, server.sitesPort, limited.port]
  const deadline = performance.now() + closedAfter
  let connections = openConnections(ports)
  while (connections?.length && performance.now() < deadline) {
    await sleep(100)
    connections = openConnections(ports)
  }
  const { heapUsed: heapAfter } = await server.memory()
  const finds: Find[] = []
  if (connections?.length)
    finds.push(new Find('leak', 'connections', `open a minute later: ${connections.join(', ')}`))
  if (heapAfter - heapBefore > mostGrowth)
    finds.push(
      new Find(
        'leak',
        'memory',
        `the live heap grew from ${megabytes(heapBefore)} to ${megabytes(heapAfter)}`,
      ),
    )
  return { heapBefore, heapAfter, connections, finds }
}
