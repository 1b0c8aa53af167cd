/** The key of the bearer token in localStorage, which all tabs share. */
const key = 'token'
const listeners = new Set<() => void>()

const notifyListeners = () => {
  for (const listener of listeners) listener()
}

export function sessionToken() {
  const stored = localStorage.getItem(key)
  if (stored === null || /^[!-~]+$/.test(stored)) return stored
  // A header cannot carry this value (RFC 9110 §5.5), so it is no token.
  localStorage.removeItem(key)
  return null
}

export function startSession(token: string) {
  localStorage.setItem(key, token)
  notifyListeners()
}

export function deleteSession() {
  localStorage.removeItem(key)
  notifyListeners()
}

/** Calls `listener` when the session starts, ends or is replaced, in this tab or another. */
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
