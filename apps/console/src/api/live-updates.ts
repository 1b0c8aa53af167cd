import { createSocketTicket, socketPath } from '@slipway/contract/events'
import { useEffect, useSyncExternalStore } from 'react'
import { apiBase, call, endSession } from './client.ts'
import { collectEvents, liveQueriesFilter } from './events.ts'
import { queryClient } from './query-client.ts'
import { type ConnectionState, keepSocketOpen } from './socket.ts'

// The socket opens once the account is loaded; until then the state is `connecting`.
let state: ConnectionState = 'connecting'
const listeners = new Set<() => void>()

function setState(next: ConnectionState) {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useConnectionState = () => useSyncExternalStore(subscribe, () => state)

async function socketUrl() {
  const { ticket } = await call(createSocketTicket)
  const url = new URL(apiBase + socketPath, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('token', ticket)
  return url.href
}

function start() {
  const events = collectEvents(queryClient)
  const socket = keepSocketOpen({
    url: socketUrl,
    onState: setState,
    onEvent: events.add,
    // After a reconnect every query may be stale.
    onOpen: (isReconnect) =>
      void queryClient.invalidateQueries(isReconnect ? {} : liveQueriesFilter),
    onSessionEnd: endSession,
  })
  const onVisible = () => {
    if (document.visibilityState === 'visible') socket.wake()
  }
  // A socket does not notice a lost network.
  addEventListener('offline', socket.close)
  addEventListener('online', socket.wake)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    removeEventListener('offline', socket.close)
    removeEventListener('online', socket.wake)
    document.removeEventListener('visibilitychange', onVisible)
    socket.close()
    events.apply()
    setState('connecting')
  }
}

/** Receives live updates while the component is mounted. Starts after the first render. */
export function useLiveUpdates() {
  useEffect(() => {
    let stop: (() => void) | undefined
    const timer = setTimeout(() => {
      stop = start()
    })
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [])
}
