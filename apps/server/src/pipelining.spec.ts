import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { limitPipelining } from './pipelining.ts'

/** Sends requests at once on a connection to a server with the limit. */
async function send(count: number, respond: (response: ServerResponse) => void) {
  let received = 0
  const server = createServer(
    limitPipelining((_request, response) => {
      received += 1
      respond(response)
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const get = 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n'
  const last = 'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n'
  socket.write(get.repeat(count - 1) + last)
  const responses = (await text(socket).catch(() => '')).match(/HTTP\/1\.1 200/g)?.length ?? 0
  return { received, responses }
}

it('closes a connection with more than 100 requests without a response', async () => {
  expect(await send(1_000, () => undefined)).toEqual({ received: 100, responses: 0 })
})

it('responds to 100 requests at once', async () => {
  expect(await send(100, (response) => response.end())).toEqual({ received: 100, responses: 100 })
})
