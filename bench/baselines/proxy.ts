// A reverse proxy on `node:http` alone, with keep-alive connections.
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

const [socketPath = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { method, url: path, headers } = request
  const outgoing = sendRequest({ socketPath, agent, method, path, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers)
    received.pipe(response)
  })
  outgoing.on('error', () => response.writeHead(502).end())
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}/` })
})
process.on('disconnect', () => process.exit())
