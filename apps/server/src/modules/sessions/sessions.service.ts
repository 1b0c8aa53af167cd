import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import { limits, minute } from '@slipway/contract/limits'
import type { Clock } from '../../clock.ts'
import type { SignedIn, Tx } from '../../context.ts'
import type { Database } from '../../db/connect.ts'
import type { Notifications } from '../../db/notifications.ts'
import { createSessionCache } from './sessions.cache.ts'
import type { SessionId } from './sessions.schema.ts'
import * as store from './sessions.store.ts'

const hash = (token: string) => createHash('sha256').update(token).digest()

/** The last use is written down at most this often. */
const touchInterval = 10 * minute

export type Sessions = ReturnType<typeof createSessions>

/** Which sessions ended, as told to whoever holds something open for them. */
export type Ended = { sessionId: string } | { userId: string }

/** Bearer tokens: 256 random bits, stored as their SHA-256, valid 30 days from their last use. */
export function createSessions(db: Database['db'], clock: Clock, notifications: Notifications) {
  const findSession = store.prepareFind(db)
  const cache = createSessionCache(() => notifications.connected)
  const endListeners: ((ended: Ended) => void)[] = []

  notifications.on(store.channel, (payload) => {
    const [what, id = ''] = payload.split(' ')
    if (what === 'session') cache.forgetSession(id)
    else cache.forgetUser(id)
    const ended = what === 'session' ? { sessionId: id } : { userId: id }
    if (what !== 'changed') for (const tell of endListeners) tell(ended)
  })
  notifications.onGap(() => cache.forgetAll())

  return {
    /** A new session of the user; gives its token, which is nowhere else. */
    async start(tx: Tx, userId: UserId): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      await store.insert(tx, userId, hash(token), clock.now())
      return token
    },

    /** Who the token belongs to, and notes its use; null when it is unknown or has ended. */
    async authenticate(
      token: string,
    ): Promise<{ user: SignedIn; session: { id: SessionId; token: string } } | null> {
      const tokenHash = hash(token)
      const key = tokenHash.toString('base64')
      const session =
        cache.find(key) ??
        (await cache.read(key, async () => (await findSession.execute({ tokenHash }))[0]))
      if (!session) return null

      const now = clock.now()
      const unused = now.getTime() - session.lastUsedAt.getTime()
      if (unused >= limits.sessionLifetime) return null
      if (unused >= touchInterval) {
        await store.touch(db, session.id, now)
        session.lastUsedAt = now
      }
      const { id, email, name, verifiedAt } = session.user
      return {
        user: { id, email, name, verified: verifiedAt !== null },
        session: { id: session.id, token },
      }
    },

    /** Ends one session, on every server. */
    async end(id: SessionId) {
      await db.transaction(async (tx) => {
        await store.remove(tx, id)
        await store.announce(tx, `session ${id}`)
      })
      cache.forgetSession(id)
    },

    /** Ends every session of the user when the transaction commits. */
    async endAll(tx: Tx, userId: UserId) {
      await store.removeOfUser(tx, userId)
      await store.announce(tx, `user ${userId}`)
    },

    /** Says, when the transaction commits, that what sessions know of the user is out of date. */
    async userChanged(tx: Tx, userId: UserId) {
      await store.announce(tx, `changed ${userId}`)
    },

    /** Forgets at once, on this server, what was read of the user: call it after the commit. */
    forgetUser: (userId: UserId) => cache.forgetUser(userId),

    onEnd: (listener: (ended: Ended) => void) => endListeners.push(listener),

    /** Removes the sessions that have expired. */
    tidy: () =>
      store.removeUnusedSince(db, new Date(clock.now().getTime() - limits.sessionLifetime)),
  }
}
