import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type KubeObject, kinds } from '../engines/hosting/kubernetes/api/resources.ts'

const send = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function bodyOf(request: IncomingMessage): Promise<KubeObject> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString())
}

/**
 * A stand-in of a Kubernetes API server that stores namespaces: enough for projects without a
 * program. It keeps them while it is stopped.
 */
export function createNamespaceServer(port: number) {
  const namespaces = new Map<string, KubeObject>()
  const watches = new Set<ServerResponse>()
  let version = 1

  function sendEvent(type: 'MODIFIED' | 'DELETED', object: KubeObject) {
    for (const response of watches) response.write(`${JSON.stringify({ type, object })}\n`)
  }

  function put(object: KubeObject): KubeObject {
    version += 1
    const before = namespaces.get(object.metadata.name)
    const annotations = { ...before?.metadata.annotations, ...object.metadata.annotations }
    const resourceVersion = String(version)
    const stored = { ...object, metadata: { ...object.metadata, annotations, resourceVersion } }
    namespaces.set(object.metadata.name, stored)
    sendEvent('MODIFIED', stored)
    return stored
  }

  function sendNamespace(response: ServerResponse, name: string) {
    const namespace = namespaces.get(name)
    if (namespace) send(response, namespace)
    else send(response, { reason: 'NotFound' }, 404)
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const isOfNamespaces = pathname.startsWith(kinds.Namespace.path)
    const name = pathname.slice(kinds.Namespace.path.length + 1)
    if (pathname === '/version') return send(response, { gitVersion: 'v1.33.1' })
    if (searchParams.get('watch') === 'true') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      if (isOfNamespaces) watches.add(response)
      response.once('close', () => watches.delete(response))
      return
    }
    if (request.method === 'PATCH') return send(response, put(await bodyOf(request)))
    if (isOfNamespaces && name !== '' && request.method === 'GET')
      return sendNamespace(response, name)
    if (request.method === 'DELETE') {
      const namespace = isOfNamespaces ? namespaces.get(name) : undefined
      sendNamespace(response, isOfNamespaces ? name : '')
      namespaces.delete(name)
      if (namespace) sendEvent('DELETED', namespace)
      return
    }
    const items = isOfNamespaces ? [...namespaces.values()] : []
    return send(response, { items, metadata: { resourceVersion: String(version) } })
  })

  return {
    names: () => [...namespaces.keys()],
    async start() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
