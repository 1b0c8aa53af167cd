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

/** How often at most the last use is stored, in milliseconds. */
const touchInterval = 10 * minute

export type Sessions = ReturnType<typeof createSessions>

/** One session that ended, or all of a user. */
export type Ended = { sessionId: string } | { userId: string }

/** Bearer tokens: 256 random bits, stored as their SHA-256, valid 30 days from their last use. */
export function createSessions(db: Database['db'], clock: Clock, notifications: Notifications) {
  const findSession = store.prepareFind(db)
  const cache = createSessionCache(() => notifications.connected)
  const endListeners: ((ended: Ended) => void)[] = []

  notifications.on(store.channel, (payload) => {
    const [kind, id = ''] = payload.split(' ')
    if (kind === 'session') cache.forgetSession(id)
    else cache.forgetUser(id)
    const ended = kind === 'session' ? { sessionId: id } : { userId: id }
    if (kind !== 'changed') for (const listener of endListeners) listener(ended)
  })
  notifications.onGap(() => cache.forgetAll())

  return {
    /** Starts a session of the user; returns its token, which is stored nowhere. */
    async start(tx: Tx, userId: UserId): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      await store.insert(tx, userId, hash(token), clock.now())
      return token
    },

    /** The user and session of a token, whose use it records; null when unknown or expired. */
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
      const idleTime = now.getTime() - session.lastUsedAt.getTime()
      if (idleTime >= limits.sessionLifetime) return null
      if (idleTime >= touchInterval) {
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

    /** Invalidates the cached user on every server when the transaction commits. */
    async userChanged(tx: Tx, userId: UserId) {
      await store.announce(tx, `changed ${userId}`)
    },

    /** Invalidates the cached user on this server at once. Call it after the commit. */
    forgetUser: (userId: UserId) => cache.forgetUser(userId),

    onEnd: (listener: (ended: Ended) => void) => endListeners.push(listener),

    /** Removes expired sessions. */
    removeExpired: () =>
      store.removeUnusedSince(db, new Date(clock.now().getTime() - limits.sessionLifetime)),
  }
}
