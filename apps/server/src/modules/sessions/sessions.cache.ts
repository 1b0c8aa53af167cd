import type { UserId } from '@slipway/contract/account'
import type { SessionId } from './sessions.schema.ts'

export type Session = {
  id: SessionId
  lastUsedAt: Date
  user: { id: UserId; email: string; name: string; verifiedAt: Date | null }
}

const most = 20_000
/** A second net under the announcements: nothing read longer ago is believed. */
const lifetime = 30_000

/**
 * The sessions read of late, by token hash, so that a call costs no query to know its caller. Correct
 * because whatever ends or changes a session is announced in the transaction that does it, and because
 * nothing is remembered while announcements cannot be heard.
 */
export function createSessionCache(hearing: () => boolean) {
  const entries = new Map<string, { session: Session; readAt: number }>()
  let changes = 0

  return {
    find(tokenHash: string) {
      if (!hearing()) return undefined
      const entry = entries.get(tokenHash)
      return entry && performance.now() - entry.readAt < lifetime ? entry.session : undefined
    },

    /** Reads and remembers, unless something was announced while it was read: that may be older. */
    async read(tokenHash: string, read: () => Promise<Session | undefined>) {
      const before = changes
      const session = await read()
      if (session && before === changes && hearing()) {
        const oldest = entries.keys().next()
        if (entries.size >= most && !oldest.done) entries.delete(oldest.value)
        entries.set(tokenHash, { session, readAt: performance.now() })
      }
      return session
    },

    forgetSession(id: string) {
      changes++
      for (const [hash, { session }] of entries) if (session.id === id) entries.delete(hash)
    },

    forgetUser(id: string) {
      changes++
      for (const [hash, { session }] of entries) if (session.user.id === id) entries.delete(hash)
    },

    forgetAll() {
      changes++
      entries.clear()
    },
  }
}
