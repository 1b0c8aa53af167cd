import { socketPath } from '@slipway/contract/events'
import { useEffect, useSyncExternalStore } from 'react'
import { apiBase, endSession } from './client.ts'
import { changesByEvents, collectEvents } from './events.ts'
import { queryClient } from './query-client.ts'
import { sessionToken } from './session.ts'
import { type ConnectionState, keepSocketOpen } from './socket.ts'

// Until the account is known, the connection is on its way.
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

/** The state of the live connection. */
export const useConnectionState = () => useSyncExternalStore(subscribe, () => state)

function socketUrl() {
  const url = new URL(apiBase + socketPath, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  url.searchParams.set('token', sessionToken() ?? '')
  return url.href
}

function start() {
  const events = collectEvents(queryClient)
  const socket = keepSocketOpen({
    url: socketUrl,
    onState: setState,
    onEvent: events.add,
    onOpen: (again) => void queryClient.invalidateQueries(again ? {} : changesByEvents),
    onSessionEnd: endSession,
  })
  const onVisible = () => {
    if (document.visibilityState === 'visible') socket.wake()
  }
  // Without the network nothing tells the socket that nobody is there.
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

/** Keeps the pages fresh while the component is there; what the page shows first comes first. */
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
