import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendJson } from './api-server.fixture.ts'
import { createConnection } from './connection.ts'
import { readKubeconfig } from './kubeconfig.ts'

/** An API server that accepts one token, and a connection whose kubeconfig is a file. */
async function startServer(acceptedToken: string) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    const isAccepted = request.headers.authorization === `Bearer ${acceptedToken}`
    if (isAccepted) sendJson(response, { gitVersion: 'v1.33.1' })
    else sendJson(response, { kind: 'Status', reason: 'Unauthorized' }, 401)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const folder = await mkdtemp(join(tmpdir(), 'slipway-kubeconfig-'))
  const file = join(folder, 'kubeconfig')
  const writeToken = (token: string) =>
    writeFile(
      file,
      JSON.stringify({
        clusters: [
          {
            name: 'test',
            cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
          },
        ],
        users: [{ name: 'test', user: { token } }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
        'current-context': 'test',
      }),
    )
  await writeToken('previous')
  const connection = createConnection(() => readKubeconfig({ file, context: undefined }))
  onTestFinished(async () => {
    await connection.close()
    server.close()
    await rm(folder, { recursive: true })
  })
  return { connection, file, writeToken, requests: () => requests }
}

describe('the connection to an API server', () => {
  it('reads a changed kubeconfig once the server rejects its credentials', async () => {
    const { connection, writeToken, requests } = await startServer('next')
    await connection.open()
    await writeToken('next')
    const calls = [1, 2, 3].map(() => connection.call('GET', '/version'))
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ gitVersion: 'v1.33.1' })))
    await connection.call('GET', '/version')
    expect(requests()).toBe(7)
  })

  it('rejects a call whose credentials are still rejected', async () => {
    const { connection, requests } = await startServer('next')
    await expect(connection.call('GET', '/version')).rejects.toMatchObject({ failure: 'denied' })
    expect(requests()).toBe(2)
  })

  it('recovers from a kubeconfig that could not be read', async () => {
    const { connection, file, writeToken } = await startServer('next')
    await connection.open()
    await rm(file)
    await expect(connection.call('GET', '/version')).rejects.toMatchObject({ failure: 'denied' })
    await writeToken('next')
    expect(await connection.call('GET', '/version')).toEqual({ gitVersion: 'v1.33.1' })
  })
})
