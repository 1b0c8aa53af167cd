import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Pool } from 'undici'
import type { Log } from '../log.ts'
import { Exchange, type SiteRoute } from './exchange.ts'
import type { Target } from './target.ts'
import { upgrade } from './upgrade.ts'

/** The console, if its host name also points to the gateway. It is served over https only. */
export type GatewayConsole = {
  host: string
  /** Its server in this process, or the address of the process that serves it. */
  server: LocalConsole | URL
}

export type LocalConsole = {
  server: Pick<Server, 'emit'>
  /** False for an upgrade that the server handles as a plain request. */
  mayUpgrade(request: IncomingMessage): boolean
}

/** The timeout of the slowest call. */
const responseTimeoutMs = 120_000
const connections = 512

/** A console that accepts no connection is not tried again. */
const beginNoWait = () => async () => false

const route: SiteRoute = { key: 'console', cluster: '', state: 'ready' }

export function createConsoleForwarder({ origin, hostname, port }: URL, log: Log) {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: responseTimeoutMs,
    bodyTimeout: 0,
  })
  const address = { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 80) }

  return {
    send(request: IncomingMessage, response: ServerResponse, target: Target) {
      const exchange = new Exchange(
        request,
        response,
        target,
        route,
        () => pool,
        beginNoWait,
        null,
        log,
      )
      response.once('close', () => exchange.onVisitorClose())
      exchange.send()
    },
    upgrade(
      request: IncomingMessage,
      response: ServerResponse,
      socket: Socket,
      head: Buffer,
      target: Target,
    ) {
      const site = {
        route,
        address: () => address,
        nextAttempt: beginNoWait(),
        responseTimeoutMs,
        sitesDomain: null,
      }
      upgrade(request, response, socket, head, target, site, log)
    },
    close: () => pool.destroy(),
  }
}
