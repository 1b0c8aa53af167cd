import { createServer } from 'node:net'

// Below the ephemeral ports (RFC 6335 §6; Linux from 32768), so that no connection or listener on
// port 0 takes the port before its use.
const first = 20_000
const portsOfWorker = 2_000

/** Each test worker has its own range, so that two workers never get the same port. */
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env
const worker = Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? 5) % 6

let next = Math.floor(Math.random() * portsOfWorker)

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A free port of the loopback. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portsOfWorker; tries++) {
    next = (next + 1) % portsOfWorker
    const port = first + worker * portsOfWorker + next
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

const firstPrivileged = 700
const privilegedPortsOfWorker = 50

/** Two free ports of the loopback that only root may listen on. */
export async function freePrivilegedPorts(): Promise<[number, number]> {
  const free: number[] = []
  for (let index = 0; index < privilegedPortsOfWorker && free.length < 2; index++) {
    const port = firstPrivileged + worker * privilegedPortsOfWorker + index
    if (await isFree(port)) free.push(port)
  }
  const [httpPort, httpsPort] = free
  if (httpPort === undefined || httpsPort === undefined) throw new Error('no port is free')
  return [httpPort, httpsPort]
}
