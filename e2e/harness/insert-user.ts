import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import { createClient } from '@slipway/contract/client'
import * as account from '../../apps/server/src/modules/account/account.service.ts'
import { hashPassword } from '../../apps/server/src/modules/auth/auth.passwords.ts'
import * as sessions from '../../apps/server/src/modules/sessions/sessions.store.ts'
import type { TestDatabase } from './database.ts'
import { newEmail, password, type TestUser } from './user.ts'

let passwordHash: Promise<string> | undefined

/**
 * Inserts a verified user. Sign-up through the API, with a captcha, two hashes and an email, would
 * take a twentieth of the whole run.
 */
export async function insertUser(
  { db }: Pick<TestDatabase, 'db'>,
  url: string,
  { name = 'Ada Example', email = newEmail() }: { name?: string; email?: string } = {},
): Promise<TestUser> {
  passwordHash ??= hashPassword(password)
  const user = { name, email, passwordHash: await passwordHash, verifiedAt: new Date() }
  const { id } = await db.transaction((tx) =>
    account.create({ clock: { now: () => new Date() }, locale: 'en' }, tx, {
      ...user,
      loginKind: 'Email',
    }),
  )
  const token = await insertSession({ db }, id)
  const call = createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
  return { name, email, password, token, serverUrl: url, call }
}

/** Inserts a session of a user, and returns its token. */
export const insertSession = async (database: Pick<TestDatabase, 'db'>, userId: UserId) =>
  (await insertSessionRow(database, userId)).token

/** Inserts a session of a user, and returns its id and its token. */
export async function insertSessionRow({ db }: Pick<TestDatabase, 'db'>, userId: UserId) {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest()
  const now = new Date()
  const id = await db.transaction((tx) =>
    sessions.insert(tx, { userId, tokenHash, lastUsedAt: now, createdAt: now }),
  )
  return { id, token }
}
