import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ActiveSession } from '@slipway/contract/account-security'
import { minute } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Clock } from '../../clock.ts'
import type { Db, SignedIn, Tx } from '../../context.ts'
import type { Database } from '../../db/connect.ts'
import type { Notifications } from '../../db/notifications.ts'
import { problem } from '../../problem.ts'
import { createSessionCache } from './sessions.cache.ts'
import type { SessionId } from './sessions.schema.ts'
import * as store from './sessions.store.ts'

/** The user of a session, and the session's id and hash. */
export type Caller = { user: SignedIn; session: { id: SessionId; tokenHash: Buffer } }

const randomToken = () => randomBytes(32).toString('base64url')
const hash = (token: string) => createHash('sha256').update(token).digest()

/** The last use is stored again after this time, in milliseconds. */
const touchInterval = 10 * minute

export type Sessions = ReturnType<typeof createSessions>

/** A session ends 30 days after its last use, and 90 days after its start. */
const hasExpired = (
  { lastUsedAt, createdAt }: Record<'lastUsedAt' | 'createdAt', Date>,
  now: Date,
) =>
  now.getTime() - lastUsedAt.getTime() >= serviceLimits.sessionIdleLifetime ||
  now.getTime() - createdAt.getTime() >= serviceLimits.sessionLifetime

/** Sessions last used, or started, at these times or earlier have expired. */
const oldestTimes = (now: Date) => ({
  lastUsedAt: new Date(now.getTime() - serviceLimits.sessionIdleLifetime),
  createdAt: new Date(now.getTime() - serviceLimits.sessionLifetime),
})

/** The origin of a login, unchecked. It is shown to the user alone. */
export type SessionOrigin = {
  address?: string | undefined
  agent?: string | undefined
  timeZone?: string | undefined
}

const maxAgentLength = 300

/** True for a name of the IANA time zone database. */
function isTimeZone(name: string) {
  try {
    return name.length <= 64 && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The origin as a session stores it: a shortened User-Agent, and a time zone that exists. */
const storedOrigin = ({ address, agent, timeZone }: SessionOrigin) => ({
  address: address ?? null,
  agent: agent?.slice(0, maxAgentLength) ?? null,
  timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null,
})

/** The device and the time zone of a login, for an email about it. */
export async function describeOrigin(origin: SessionOrigin) {
  const { describeAgent } = await import('./sessions.agent.ts')
  const { agent, timeZone } = storedOrigin(origin)
  return { ...describeAgent(agent), timeZone }
}

/** What ended: one session, one personal token, or sessions of a user, perhaps not all. */
export type EndedAccess = { sessionId: string } | { userId: string } | { tokenId: string }

/**
 * Bearer tokens: 256 random bits, stored as their SHA-256, valid 30 days from their last use and 90
 * days from their start.
 */
export function createSessions(db: Database['db'], clock: Clock, notifications: Notifications) {
  const findSession = store.prepareFind(db)
  const cache = createSessionCache(() => notifications.connected)
  const endListeners: ((ended: EndedAccess) => void)[] = []

  // Payloads: `session <id>` ended, sessions of `user <id>` ended, `token <id>` was revoked,
  // `changed <user id>`.
  notifications.on(store.channel, (payload) => {
    const [kind, id = ''] = payload.split(' ')
    if (kind === 'token') {
      for (const listener of endListeners) listener({ tokenId: id })
      return
    }
    if (kind === 'session') cache.invalidateSession(id)
    else cache.invalidateUser(id)
    const ended = kind === 'session' ? { sessionId: id } : { userId: id }
    if (kind !== 'changed') for (const listener of endListeners) listener(ended)
  })
  notifications.onGap(() => cache.invalidateAll())

  /** The user and session of a token's hash, whose use it records; null when unknown or expired. */
  async function findCaller(tokenHash: Buffer): Promise<Caller | null> {
    const key = tokenHash.toString('base64')
    const session =
      cache.find(key) ??
      (await cache.read(key, async () => (await findSession.execute({ tokenHash }))[0]))
    const now = clock.now()
    if (!session || hasExpired(session, now)) return null
    if (now.getTime() - session.lastUsedAt.getTime() >= touchInterval) {
      await store.touch(db, session.id, now)
      session.lastUsedAt = now
    }
    const { id, email, name, verifiedAt } = session.user
    return {
      user: { id, email, name, verified: verifiedAt !== null },
      session: { id: session.id, tokenHash },
    }
  }

  /** False when the session has ended or expired; else it cannot end before `tx` does. */
  async function isActive(tx: Tx, id: SessionId): Promise<boolean> {
    const session = await store.lock(tx, id)
    return session !== undefined && !hasExpired(session, clock.now())
  }

  /** Throws `unauthorized` when the session has ended; else it cannot end before `tx` does. */
  async function requireActive(tx: Tx, id: SessionId): Promise<void> {
    if (!(await isActive(tx, id))) throw problem('unauthorized')
  }

  return {
    isActive,
    requireActive,

    /**
     * Starts a session of the user; returns its token, which is stored nowhere. Beyond 100 sessions
     * it ends the one that was used least recently.
     */
    async start(tx: Tx, userId: UserId, origin: SessionOrigin = {}): Promise<string> {
      const token = randomToken()
      const now = clock.now()
      await store.insert(tx, {
        userId,
        tokenHash: hash(token),
        ...storedOrigin(origin),
        lastUsedAt: now,
        createdAt: now,
      })
      if (await store.removeBeyond(tx, userId, serviceLimits.sessionsPerUser))
        await store.notify(tx, `user ${userId}`)
      return token
    },

    /** The sessions of a user, the last used first, at most 100; `currentId` is the caller's. */
    async list(userId: UserId, currentId: SessionId): Promise<ActiveSession[]> {
      const { describeAgent } = await import('./sessions.agent.ts')
      const rows = await store.listOfUser(
        db,
        userId,
        oldestTimes(clock.now()),
        serviceLimits.sessionsPerUser,
      )
      return rows.map(({ id, agent, address, timeZone, createdAt, lastUsedAt }) => ({
        id,
        isCurrent: id === currentId,
        ...describeAgent(agent),
        address,
        timeZone,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
      }))
    },

    /** Ends one session of the user, on every server. Throws `item_not_found`. */
    async endOwn(userId: UserId, id: SessionId): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await store.removeOwn(tx, userId, id))) throw problem('item_not_found')
        await store.notify(tx, `session ${id}`)
      })
      cache.invalidateSession(id)
    },

    /** Ends all sessions of the user but one when the transaction commits. */
    async endOthers(tx: Tx, userId: UserId, currentId: SessionId): Promise<void> {
      await store.removeOthers(tx, userId, currentId)
      await store.notify(tx, `user ${userId}`)
    },

    /** The user and session of a token, whose use it records; null when unknown or expired. */
    authenticate: (token: string) => findCaller(hash(token)),

    /**
     * The user and session of a session that was authenticated before; null once it has expired.
     */
    authenticateAgain: ({ tokenHash }: Caller['session']) => findCaller(tokenHash),

    /** When the user logged in; undefined once the session has ended or expired. */
    async findStart(reader: Db, id: SessionId): Promise<Date | undefined> {
      const session = await store.find(reader, id)
      return session && !hasExpired(session, clock.now()) ? session.createdAt : undefined
    },

    /**
     * Creates a ticket that opens a socket in the name of the session, once, within 30 seconds.
     * Throws `unauthorized` when the session has ended meanwhile.
     */
    async createTicket(id: SessionId): Promise<{ ticket: string }> {
      const ticket = randomToken()
      const expiresAt = new Date(clock.now().getTime() + serviceLimits.socketTicketLifetime)
      await db.transaction(async (tx) => {
        await requireActive(tx, id)
        await store.insertTicket(tx, { ticketHash: hash(ticket), sessionId: id, expiresAt })
      })
      return { ticket }
    },

    /** Redeems a ticket; returns its user and session. Null when unknown, used or expired. */
    async redeemTicket(ticket: string): Promise<Caller | null> {
      const row = await store.takeTicket(db, hash(ticket))
      if (!row || row.expiresAt <= clock.now()) return null
      const session = await store.find(db, row.sessionId)
      return session ? findCaller(session.tokenHash) : null
    },

    /** Ends one session, on every server. */
    async end(id: SessionId) {
      await db.transaction(async (tx) => {
        await store.remove(tx, id)
        await store.notify(tx, `session ${id}`)
      })
      cache.invalidateSession(id)
    },

    /** Ends every session of the user when the transaction commits. */
    async endAll(tx: Tx, userId: UserId) {
      await store.removeOfUser(tx, userId)
      await store.notify(tx, `user ${userId}`)
    },

    /** Tells every server that a personal token was revoked, when the transaction commits. */
    async notifyTokenRevoked(tx: Tx, id: string) {
      await store.notify(tx, `token ${id}`)
    },

    /** Invalidates the cached user on every server when the transaction commits. */
    async notifyUserChanged(tx: Tx, userId: UserId) {
      await store.notify(tx, `changed ${userId}`)
    },

    /** Invalidates the cached user on this server at once. Call it after the commit. */
    invalidateUser: (userId: UserId) => cache.invalidateUser(userId),

    /** Calls the listener for each session or token that ends, on any server. */
    onEnd: (listener: (ended: EndedAccess) => void) => endListeners.push(listener),

    /** Removes expired sessions and tickets. */
    async removeExpired() {
      const now = clock.now()
      await store.removeOld(db, oldestTimes(now))
      await store.removeExpiredTickets(db, now)
    },
  }
}
