import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { ConnectionLimiter } from '../../connection-limits.ts'
import { createRateLimitedLog, type Log } from '../../log.ts'
import type { Certificate, Certificates } from './certificates.ts'
import { createSecureContexts } from './secure-contexts.ts'
import { countFailure, countHandshake, failureOf } from './tls.metrics.ts'
import { protocols, tlsPolicy } from './tls-policy.ts'

/** A whole handshake takes two round trips. */
const defaultHandshakeMs = 10_000
const defaultHandshakesAtOnce = 1_000

/**
 * How long the keys of session tickets are used, and how long a ticket resumes a session.
 * An attacker with the keys can read the TLS 1.2 connections of this time (decision 61).
 */
const ticketKeysMs = 8 * 3_600_000
const ticketKeyBytes = 48

export type TlsListenerOptions = {
  certificates: Certificates
  /** For names without a certificate. */
  selfSigned: Certificate
  port: number
  host: string
  /** A listening socket that another process opened, instead of host and port. */
  fd?: number | undefined
  /** How long a handshake may take, in milliseconds. 10 s by default. */
  handshakeMs?: number | undefined
  /** The most handshakes at once; a further one closes the oldest. 1,000 by default. */
  handshakesAtOnce?: number | undefined
}

export type TlsListener = {
  listen(): Promise<AddressInfo>
  /** Stops accepting connections. Resolves when its connections, which the servers close, ended. */
  close(): Promise<void>
  endHandshakes(): void
}

/** The addresses and ports of a connection, which identify it while it is open. */
const connectionIdOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`

/**
 * Accepts TLS connections and hands each to the server of the protocol that was negotiated, once
 * its handshake is complete. A slow, broken or hostile handshake costs its own connection only.
 */
export function createTlsListener(
  options: TlsListenerOptions,
  servers: Record<(typeof protocols)[number], (socket: TLSSocket) => void>,
  limiter: ConnectionLimiter | undefined,
  log: Log,
): TlsListener {
  const { certificates, selfSigned, fd, port, host } = options
  const { handshakeMs = defaultHandshakeMs } = options
  const { handshakesAtOnce = defaultHandshakesAtOnce } = options
  const contexts = createSecureContexts(certificates, log)
  /** The end of each current handshake, the oldest first. */
  const handshakes = new Map<string, { socket: Socket; end: () => void }>()

  const logCrowded = createRateLimitedLog('there are too many TLS handshakes: the oldest are ended')

  const tls = createTlsServer({
    ...tlsPolicy,
    cert: selfSigned.certificate,
    key: selfSigned.key,
    ALPNProtocols: protocols,
    ticketKeys: randomBytes(ticketKeyBytes),
    sessionTimeout: ticketKeysMs / 1000,
    // Ends handshakes without input; a timer in `startHandshake` ends slow ones.
    handshakeTimeout: handshakeMs,
    SNICallback: (name, respond) => respond(null, contexts.find(name)),
  })
  const rotation = setInterval(
    () => tls.setTicketKeys(randomBytes(ticketKeyBytes)),
    ticketKeysMs,
  ).unref()

  tls.on('secureConnection', (socket) => {
    handshakes.get(connectionIdOf(socket))?.end()
    const protocol = socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'
    countHandshake(protocol)
    servers[protocol](socket)
  })
  tls.on('tlsClientError', (error: NodeJS.ErrnoException) => countFailure(failureOf(error)))

  function startHandshake(socket: Socket) {
    const key = connectionIdOf(socket)
    // Hands the socket to the TLS server, which does not listen itself.
    tls.emit('connection', socket)
    const timer = setTimeout(() => socket.destroy(), handshakeMs)
    const end = () => {
      clearTimeout(timer)
      handshakes.delete(key)
      limiter?.idle.delete(socket)
    }
    handshakes.set(key, { socket, end })
    limiter?.idle.add(socket)
    socket.once('close', end)
  }

  const acceptor = createTcpServer({ noDelay: true }, (socket) => {
    // TLS handles errors only during its own reads; the rest must not end the process.
    socket.on('error', () => undefined)
    limiter?.count(socket)
    if (socket.destroyed) return
    if (handshakes.size >= handshakesAtOnce) {
      const [oldest] = handshakes.values()
      oldest?.socket.destroy()
      logCrowded(log, { handshakes: handshakesAtOnce })
    }
    startHandshake(socket)
  })

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        acceptor.once('error', reject)
        acceptor.listen(fd === undefined ? { port, host } : { fd }, () => {
          acceptor.off('error', reject)
          // An error such as EMFILE would end the process if it had no listener.
          acceptor.on('error', (err) => log.error({ err }, 'A connection was not accepted'))
          resolve(acceptor.address() as AddressInfo)
        })
      }),

    close: () =>
      new Promise((resolve) => {
        clearInterval(rotation)
        acceptor.close(() => resolve())
      }),

    endHandshakes() {
      for (const { socket } of handshakes.values()) socket.destroy()
    },
  }
}
