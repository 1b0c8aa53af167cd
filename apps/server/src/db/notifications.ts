import pg from 'pg'
import { SessionClient } from './session-client.ts'

export type Notifications = {
  /** Registers a listener for the payloads of a channel. */
  on(channel: string, listener: (payload: string) => void): void
  /** Called after a gap in which notifications may have been missed. */
  onGap(missed: () => void): void
  /** False while the connection is down. */
  readonly connected: boolean
  close(): Promise<void>
}

const reconnectDelay = 500
const heartbeatInterval = 10_000

/**
 * Listens to PostgreSQL's NOTIFY on a separate connection and reconnects when it breaks. Rejects
 * when the first connection fails.
 */
export async function listen(
  options: pg.ClientConfig,
  channels: readonly string[],
  log: { warn(fields: object, message: string): void },
): Promise<Notifications> {
  const listeners = new Map<string, ((payload: string) => void)[]>()
  const gapListeners: (() => void)[] = []
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let reconnecting: Promise<void> | undefined
  let closed = false

  const deliver = ({ channel, payload }: pg.Notification) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload ?? '')
  }

  /** Opens a listening connection. Closes it when it fails or is no longer needed. */
  async function open() {
    const opening = new SessionClient({
      connectionTimeoutMillis: 10_000,
      ...options,
      application_name: 'slipway-notifications',
      keepAlive: true,
      query_timeout: 5_000,
    })
    opening.on('notification', deliver)
    opening.on('error', (error) => onLost(opening, error))
    opening.on('end', () => onLost(opening, new Error('the connection ended')))
    try {
      await opening.connect()
      for (const channel of channels) await opening.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await opening.end()
      throw error
    }
    if (closed) return opening.end()
    client = opening
  }

  function onLost(lostClient: pg.Client, error: Error) {
    if (closed || lostClient !== client) return
    client = undefined
    log.warn({ err: error }, 'lost the connection that listens for notifications')
    void lostClient.end()
    scheduleReconnect()
  }

  function scheduleReconnect() {
    timer = setTimeout(() => {
      reconnecting = reconnect()
    }, reconnectDelay)
  }

  async function reconnect() {
    try {
      await open()
    } catch (error) {
      log.warn({ err: error }, 'cannot listen for notifications yet')
      if (!closed) scheduleReconnect()
      return
    }
    if (!closed) for (const listener of gapListeners) listener()
  }

  await open()
  // Only a query detects a peer that disappeared without closing the connection.
  let isWaiting = false
  const heartbeat = setInterval(() => {
    const current = client
    if (!current || isWaiting) return
    isWaiting = true
    current
      .query('select 1')
      .catch((error) => onLost(current, error))
      .finally(() => {
        isWaiting = false
      })
  }, heartbeatInterval)
  heartbeat.unref()

  return {
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    },
    onGap: (listener) => gapListeners.push(listener),
    get connected() {
      return client !== undefined
    },
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(heartbeat)
      await reconnecting
      await client?.end()
    },
  }
}
