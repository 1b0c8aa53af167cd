import type { UserId } from '@slipway/contract/account'
import type { SessionId } from './sessions.schema.ts'

export type Session = {
  id: SessionId
  lastUsedAt: Date
  createdAt: Date
  user: { id: UserId; email: string; name: string; verifiedAt: Date | null }
}

const maxEntries = 20_000
/** In milliseconds; a safety net in case a notification is missed. */
const lifetime = 30_000

/**
 * Caches sessions by token hash, so that authenticating a request costs no query. An entry cannot
 * be stale: each transaction that ends or changes a session notifies all servers, and the cache is
 * off while a server does not receive notifications.
 */
export function createSessionCache(isListening: () => boolean) {
  const entries = new Map<string, { session: Session; readAt: number }>()
  let changes = 0

  return {
    find(tokenHash: string) {
      if (!isListening()) return undefined
      const entry = entries.get(tokenHash)
      return entry && performance.now() - entry.readAt < lifetime ? entry.session : undefined
    },

    /** Reads and caches a session, unless a notification arrived meanwhile: it may be stale. */
    async read(tokenHash: string, read: () => Promise<Session | undefined>) {
      const before = changes
      const session = await read()
      if (session && before === changes && isListening()) {
        const oldest = entries.keys().next()
        if (entries.size >= maxEntries && !oldest.done) entries.delete(oldest.value)
        entries.set(tokenHash, { session, readAt: performance.now() })
      }
      return session
    },

    invalidateSession(id: string) {
      changes++
      for (const [hash, { session }] of entries) if (session.id === id) entries.delete(hash)
    },

    invalidateUser(id: string) {
      changes++
      for (const [hash, { session }] of entries) if (session.user.id === id) entries.delete(hash)
    },

    invalidateAll() {
      changes++
      entries.clear()
    },
  }
}
