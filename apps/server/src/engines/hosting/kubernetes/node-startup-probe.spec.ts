import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../root.ts'

const script = join(root, 'deploy/runtimes/node/responds.mjs')
const hasNetwork = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ internal, scopeid = 0 }) => !internal && scopeid === 0),
)

/** The exit code of the probe of a program that listens on this host and responds with `status`. */
async function probe(host: string, status: number) {
  const server = createServer((_request, response) => response.writeHead(status).end())
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const child = spawn(process.execPath, [script], {
    env: { PORT: String(port) },
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  return code as number | null
}

// A machine without a network has no address that another machine could connect to.
describe.skipIf(!hasNetwork)('the startup probe of a Node app in a pod', () => {
  it.each([
    ['passes with a page', '0.0.0.0', 200, 0],
    ['passes with a missing page', '0.0.0.0', 404, 0],
    ['fails with a server error', '0.0.0.0', 503, 1],
    ['fails for a program that listens only on localhost', '127.0.0.1', 200, 1],
  ])('%s', async (_what, host, status, code) => {
    expect(await probe(host, status)).toBe(code)
  })
})
