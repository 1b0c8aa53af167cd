/** The bearer token, kept in the browser: signing out in one tab signs out the others. */
const key = 'token'
const listeners = new Set<() => void>()

const announce = () => {
  for (const listener of listeners) listener()
}

export const sessionToken = () => localStorage.getItem(key)

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
