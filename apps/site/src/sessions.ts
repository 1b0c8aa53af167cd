import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import type { Log } from './log.ts'
import { readFileIfExists } from './read-file.ts'
import { createSerial } from './serial.ts'
import type { SiteKey } from './site-key.ts'

/** The signed-in user, from the ID token. */
export type SiteUser = { subject: string; name: string | null; email: string | null }

/**
 * The console's access token, which checks whether the user may still edit. Time in milliseconds.
 */
export type Access = { token: string; expiresAt: number }

/** A stored session. The access token is sealed, so that the file alone gives no access. */
type StoredSession = SiteUser & {
  expiresAt: number
  sealedAccess: string
}

export type OpenSession = SiteUser & {
  access: Access
  /** The digest of the cookie's secret, which it does not reveal. */
  id: string
  /** The CSRF token of the session's forms (RFC 9700 §4.7). */
  formToken: string
}

export type Sessions = {
  /** Starts a session and returns the cookie's value. Rejects when it cannot be stored. */
  begin(user: SiteUser, access: Access): Promise<string>
  /** The session of a cookie; null when unknown, ended or expired. */
  find(cookie: string): Promise<OpenSession | null>
  /** Ends a session. Rejects when that cannot be stored. */
  end(id: string): Promise<void>
}

/** Lifetime of a session from sign-in, regardless of use: 12 hours, in seconds. */
export const sessionSeconds = 12 * 60 * 60

// A site has fewer editors. The oldest session is deleted first.
const maxSessions = 200

const secretOf = (cookie: string) => cookie.split('.', 1)[0] ?? ''
const identify = (secret: string) => createHash('sha256').update(secret).digest('base64url')

const isSession = (value: unknown): value is StoredSession => {
  if (typeof value !== 'object' || value === null) return false
  const { subject, name, email, expiresAt, sealedAccess } = value as Record<string, unknown>
  return (
    typeof expiresAt === 'number' &&
    [subject, sealedAccess].every((text) => typeof text === 'string') &&
    [name, email].every((text) => text === null || typeof text === 'string')
  )
}

const parse = (text: string): Map<string, StoredSession> => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error('Not an object')
  return new Map(Object.entries(value).filter((entry) => isSession(entry[1])))
}

/**
 * The sessions of this site, stored in its data folder so that they survive a restart. Only digests
 * of the secrets are stored. Loaded on first use.
 */
export const openSessions = (folder: string, key: () => Promise<SiteKey>, log: Log): Sessions => {
  const path = join(folder, 'sessions.json')
  const exclusively = createSerial()
  let cachedSessions: Map<string, StoredSession> | null = null

  const load = async (): Promise<Map<string, StoredSession>> => {
    const text = await readFileIfExists(path)
    try {
      return parse(text ?? '{}')
    } catch (error) {
      log.error(
        { reason: String(error) },
        'The sessions were damaged; all users must sign in again',
      )
      return new Map()
    }
  }

  const sessions = async () => {
    cachedSessions ??= await load()
    return cachedSessions
  }

  const storeSessions = async (changed: Map<string, StoredSession>) => {
    const now = Date.now()
    const unexpired = [...changed]
      .filter(([, { expiresAt }]) => expiresAt > now)
      .slice(-maxSessions)
    await writeFileAtomic(path, `${JSON.stringify(Object.fromEntries(unexpired), null, 2)}\n`)
    cachedSessions = new Map(unexpired)
  }

  return {
    begin: ({ subject, name, email }, access) =>
      exclusively(async () => {
        const signer = await key()
        const secret = randomBytes(32).toString('base64url')
        const expiresAt = Date.now() + sessionSeconds * 1000
        const sealedAccess = signer.seal('access', JSON.stringify(access))
        const session = { subject, name, email, expiresAt, sealedAccess }
        await storeSessions(new Map([...(await sessions()), [identify(secret), session]]))
        return `${secret}.${signer.sign('session', secret)}`
      }),

    async find(cookie) {
      const secret = secretOf(cookie)
      const signer = await key()
      if (!signer.verify('session', secret, cookie.slice(secret.length + 1))) return null
      const id = identify(secret)
      const session = await exclusively(async () => (await sessions()).get(id))
      if (!session || session.expiresAt <= Date.now()) return null
      const { subject, name, email, sealedAccess } = session
      const access = signer.open('access', sealedAccess)
      if (access === null) return null
      const formToken = signer.sign('form', id)
      return { id, subject, name, email, access: JSON.parse(access) as Access, formToken }
    },

    end: (id) =>
      exclusively(async () => {
        const remaining = new Map(await sessions())
        if (remaining.delete(id)) await storeSessions(remaining)
      }),
  }
}
