import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { createLogBook } from '../../../testing/log-book.ts'
import { openServiceSocket } from './service-socket.ts'

describe('the socket by which sites reach the login provider', () => {
  it('has a limited number of connections, and is free once they close', async () => {
    const folder = await createDataFolder()
    const socket = await openServiceSocket(folder, () => 'http://127.0.0.1', createLogBook().log)
    onTestFinished(() => socket.close())
    const path = join(folder, 's')
    const connections = Array.from({ length: 200 }, () => connect(path))
    const closed = connections.map((connection) => {
      // The server may close it while it is written to.
      connection.on('error', () => undefined)
      return once(connection.resume(), 'close')
    })
    // It closes 72 of them: the others wait for a request.
    let count = 0
    await new Promise<void>((resolve) => {
      for (const each of closed)
        void each.then(() => {
          count += 1
          if (count === 72) resolve()
        })
    })
    for (const connection of connections) connection.destroy()
    await Promise.all(closed)
    const call = request({ socketPath: path, path: '/', agent: false }).end()
    const [response] = await once(call, 'response')
    expect(response.statusCode).toBe(404)
    response.resume()
  })
})
