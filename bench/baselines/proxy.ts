// A reverse proxy on `node:http` alone, with keep-alive connections.
import { Agent, request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [socketPath = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { method, url: path, headers } = request
  const outgoing = ask({ socketPath, agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.writeHead(502).end())
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}/` })
})
process.on('disconnect', () => process.exit())
