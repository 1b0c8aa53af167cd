import type { LoginKind, UserId, UserProfile } from '@slipway/contract/account'
import type { Context, Db, RequestContext, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as teams from '../teams/teams.service.ts'
import * as store from './account.store.ts'

export type User = store.User

const present = (user: store.User): UserProfile => ({
  id: user.id,
  name: user.name,
  username: user.username,
  email: user.email,
  loginKind: user.loginKind,
})

/**
 * Notes the language that somebody uses the console in, for the mails that others cause. Most often it is
 * noted already, and nothing is written.
 */
export async function noteLocale(
  ctx: Pick<RequestContext, 'locale'>,
  db: Db,
  user: Pick<store.User, 'id' | 'locale'>,
) {
  if (user.locale !== ctx.locale) await store.setLocale(db, user.id, ctx.locale)
}

/** The signed-in user; notes their language. */
export async function profile(ctx: UserContext): Promise<UserProfile> {
  const user = await store.find(ctx.db, ctx.user.id)
  if (!user) throw problem('unauthorized')
  await noteLocale(ctx, ctx.db, user)
  return present(user)
}

/** Changes the name of the signed-in user; gives the user as changed. */
export async function rename(ctx: UserContext, name: string): Promise<UserProfile> {
  const renamed = await ctx.write(async (tx) => {
    const user = await store.setName(tx, ctx.user.id, name, ctx.clock.now())
    if (!user) throw problem('unauthorized')
    await ctx.sessions.userChanged(tx, user.id)
    await teams.announceRenamed(tx, user.id)
    await teams.announceTo(tx, user.id)
    return user
  })
  ctx.sessions.forgetUser(renamed.id)
  return present(renamed)
}

/** The local part of the address; with a number behind it when that is taken. */
async function freeUsername(tx: Tx, email: string) {
  const wanted = email.slice(0, email.lastIndexOf('@'))
  // `a.2` is what a second `a` is called, too: both choose in turn.
  await store.lockUsername(tx, wanted.replace(/(?:\.\d+)+$/, ''))
  return store.nextUsername(tx, wanted)
}

/**
 * A new user with a team of their own, in the caller's transaction. Throws `email_already_exists`, also
 * when the same address signs up twice at once.
 */
export async function create(
  ctx: Pick<RequestContext, 'clock' | 'locale'>,
  tx: Tx,
  user: {
    name: string
    email: string
    loginKind: LoginKind
    passwordHash: string | null
    verifiedAt: Date | null
  },
): Promise<store.User> {
  const username = await freeUsername(tx, user.email)
  const created = await store.insert(tx, { ...user, username, locale: ctx.locale }, ctx.clock.now())
  if (!created) throw problem('email_already_exists')
  await teams.createOwn(ctx, tx, created)
  return created
}

/** The user of an address in lower case; undefined when nobody has it. */
export const findByEmail = (db: Db, email: string) => store.findByEmail(db, email)

/** The user of an id; undefined when there is none. */
export const find = (db: Db, id: UserId) => store.find(db, id)

/**
 * The user while the account is not verified, and undefined afterwards. Of all that verify it, take it
 * over or remove it one goes on, and the others wait until its transaction ends.
 */
export const lockUnverified = (tx: Tx, id: UserId): Promise<store.User | undefined> =>
  store.lockUnverified(tx, id)

/** Marks an account that `lockUnverified` gave as verified, in the caller's transaction. */
export async function verify(ctx: Pick<Context, 'clock' | 'sessions'>, tx: Tx, id: UserId) {
  await store.setVerified(tx, id, ctx.clock.now())
  await ctx.sessions.userChanged(tx, id)
}

/**
 * True while that is still what the account signs in with; it then cannot be changed until the
 * transaction ends.
 */
export const lockPassword = (tx: Tx, id: UserId, passwordHash: string | null): Promise<boolean> =>
  store.lockPassword(tx, id, passwordHash)

/**
 * Sets a new password, for somebody who has just proven that the address is theirs: the account is
 * verified with it, and every session ends. False, and nothing is done, for one without a password.
 */
export async function setPassword(
  ctx: Pick<Context, 'clock' | 'sessions'>,
  tx: Tx,
  id: UserId,
  passwordHash: string,
) {
  if (!(await store.setPassword(tx, id, passwordHash, ctx.clock.now()))) return false
  await ctx.sessions.endAll(tx, id)
  return true
}

/**
 * Removes a user who owns nothing any more, with everything that is stored about them, in the
 * caller's transaction.
 */
export const remove = (tx: Tx, id: UserId): Promise<void> => store.remove(tx, id)
