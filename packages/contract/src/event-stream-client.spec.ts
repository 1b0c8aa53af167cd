import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { streamEvents } from './event-stream-client.ts'
import type { Id } from './id.ts'
import { viewProjectLogs } from './logs.ts'

it('an event stream ends when it is silent for too long, as after a loss of the network', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 1\ndata: "first"\n\n')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = { base: `http://127.0.0.1:${port}`, token: () => null, locale: () => 'en' }
  const request = { params: { id: 'a' as Id<'Project'> }, query: {} }
  const { signal } = new AbortController()

  // A busy machine may take any time to connect.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const silence = 300
  const received: unknown[] = []
  const read = async () => {
    for await (const events of streamEvents(options, viewProjectLogs, request, signal, silence)) {
      received.push(...events)
      if (received.length > 0) vi.advanceTimersByTime(silence)
    }
  }
  await expect(read()).rejects.toThrow()
  expect(received).toEqual([{ id: '1', data: 'first' }])
})
