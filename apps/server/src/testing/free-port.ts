import { createServer } from 'node:net'

// Below the ports that systems hand out by themselves (RFC 6335 §6; Linux from 32768), so that neither a
// connection nor a listener on port 0 takes one between our finding it free and its use.
const first = 20_000
const portsOfWorker = 2_000

/** Workers of a test run each have ports of their own: two never find the same one free. */
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env
const worker = Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? 5) % 6

let next = Math.floor(Math.random() * portsOfWorker)

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A port of the loopback that nobody listens on, and that nobody else is given meanwhile. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portsOfWorker; tries++) {
    next = (next + 1) % portsOfWorker
    const port = first + worker * portsOfWorker + next
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}
