/** The bearer token, kept in the browser: signing out in one tab signs out the others. */
const key = 'token'
const listeners = new Set<() => void>()

const announce = () => {
  for (const listener of listeners) listener()
}

/** The token of the session that holds, or null. */
export function sessionToken() {
  const stored = localStorage.getItem(key)
  if (stored === null || /^[!-~]+$/.test(stored)) return stored
  // No header can carry it (RFC 9110 §5.5), so no server has given it.
  localStorage.removeItem(key)
  return null
}

export function startSession(token: string) {
  localStorage.setItem(key, token)
  announce()
}

export function forgetSession() {
  localStorage.removeItem(key)
  announce()
}

/** Calls `listener` when the session starts, ends or becomes another one, in this tab or another. */
export function onSessionChange(listener: () => void) {
  // `key` is null when the whole storage was cleared.
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}
