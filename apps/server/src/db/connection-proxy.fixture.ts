import { once } from 'node:events'
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'
import type pg from 'pg'

/** A proxy before the database that breaks or delays connections. */
export async function startConnectionProxy(options: pg.ClientConfig) {
  const { host = 'localhost', port = 5432 } = options
  const openClients = new Set<Socket>()
  let delayed: Socket[] | undefined
  let refusing = false
  let breakingText: string | undefined
  const waiting: (() => void)[] = []

  function forward(client: Socket) {
    const server = host.startsWith('/')
      ? openSocket(`${host}/.s.PGSQL.${port}`)
      : openSocket(port, host)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const side of [client, server]) side.on('error', end).on('close', end)
    client.on('data', (bytes) => {
      if (breakingText !== undefined && bytes.includes(breakingText)) end()
    })
    client.pipe(server).pipe(client)
  }

  const proxy = createServer((client) => {
    openClients.add(client)
    client.on('error', () => client.destroy())
    client.on('close', () => openClients.delete(client))
    if (refusing) client.destroy()
    else if (delayed) delayed.push(client)
    else forward(client)
    for (const wake of waiting.splice(0)) wake()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address() as AddressInfo

  return {
    /** Connection options through the proxy. */
    options: { ...options, host: '127.0.0.1', port: address.port } satisfies pg.ClientConfig,
    get connectionCount() {
      return openClients.size
    },
    break() {
      for (const client of openClients) client.destroy()
    },
    /** Breaks each connection over which a client sends this text. */
    breakAt(text: string) {
      breakingText = text
    },
    /** Accepts new connections without forwarding them. */
    delay() {
      delayed = []
    },
    /** Closes new connections at once. */
    refuse() {
      refusing = true
    },
    /** Forwards delayed and new connections. */
    release() {
      const released = delayed ?? []
      delayed = undefined
      refusing = false
      for (const client of released) if (!client.destroyed) forward(client)
    },
    /** Resolves at the next connection. */
    connected: () => new Promise<void>((wake) => waiting.push(wake)),
    async close() {
      this.break()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

export type ConnectionProxy = Awaited<ReturnType<typeof startConnectionProxy>>
