import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KubeConfig } from '@kubernetes/client-node'
import { onTestFinished } from 'vitest'
import { type Cluster, type ClusterOptions, createCluster } from './cluster.ts'
import { type CallOptions, createConnection } from './connection.ts'

export type ApiServer = {
  cluster: Cluster
  /** The requests so far, as `METHOD path`. */
  requests: string[]
  /** Ends all open responses, as a restart does. */
  cut(): void
}

type StandInOptions = Pick<ClusterOptions, 'attempts' | 'wait'> & Pick<CallOptions, 'timeoutMs'>

/** A stand-in of the Kubernetes API, and a cluster that calls it. Both end with the test. */
export async function startApiServer(
  respond: (request: IncomingMessage, response: ServerResponse, url: URL) => void,
  { timeoutMs = 15_000, ...options }: StandInOptions = {},
): Promise<ApiServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    requests.push(`${request.method} ${url.pathname}`)
    respond(request, response, url)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'test', server: `http://127.0.0.1:${port}`, skipTLSVerify: true }],
    users: [{ name: 'test', token: 'secret' }],
    contexts: [{ name: 'test', cluster: 'test', user: 'test' }],
    currentContext: 'test',
  })
  const closing = new AbortController()
  const cluster = createCluster({
    connection: createConnection(async () => config, { timeoutMs }),
    closing: closing.signal,
    retry: { initialMs: 1, maxMs: 2 },
    ...options,
  })
  onTestFinished(async () => {
    closing.abort()
    await cluster.close()
    server.closeAllConnections()
    server.close()
  })
  return { cluster, requests, cut: () => server.closeAllConnections() }
}

export const sendJson = (response: ServerResponse, body: object, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
