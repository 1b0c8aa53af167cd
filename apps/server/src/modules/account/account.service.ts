import type { LoginKind, UserId, UserProfile } from '@slipway/contract/account'
import type { Context, Db, RequestContext, SessionContext, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as teams from '../teams/teams.service.ts'
import * as store from './account.store.ts'

export { eventEmail } from './account.emails.ts'
export type User = store.User

const toResponse = (user: store.User): UserProfile => ({
  id: user.id,
  name: user.name,
  username: user.username,
  email: user.email,
  loginKind: user.loginKind,
})

/** Saves the request's language as the user's, for later emails. Writes only when it differs. */
export async function saveLocale(
  ctx: Pick<RequestContext, 'locale'>,
  db: Db,
  user: Pick<store.User, 'id' | 'locale'>,
) {
  if (user.locale !== ctx.locale) await store.setLocale(db, user.id, ctx.locale)
}

/** The profile of the signed-in user. Also saves the language of the request. */
export async function profile(ctx: UserContext): Promise<UserProfile> {
  const user = await store.find(ctx.db, ctx.user.id)
  if (!user) throw problem('unauthorized')
  await saveLocale(ctx, ctx.db, user)
  return toResponse(user)
}

/** Renames the signed-in user, publishes the events of the change and returns the new profile. */
export async function rename(ctx: UserContext, name: string): Promise<UserProfile> {
  const renamed = await ctx.write(async (tx) => {
    const user = await store.setName(tx, ctx.user.id, name, ctx.clock.now())
    if (!user) throw problem('unauthorized')
    await ctx.sessions.notifyUserChanged(tx, user.id)
    await teams.publishRename(tx, user.id)
    await teams.publishChangeToUser(tx, user.id)
    return user
  })
  ctx.sessions.invalidateUser(renamed.id)
  return toResponse(renamed)
}

/** The local part of the address, with a number appended when it is taken. */
async function freeUsername(tx: Tx, email: string) {
  const localPart = email.slice(0, email.lastIndexOf('@'))
  // A second `a` becomes `a.2`, so `a` and `a.2` must share one lock.
  await store.lockUsername(tx, localPart.replace(/(?:\.\d+)+$/, ''))
  return store.nextUsername(tx, localPart)
}

/**
 * Creates a user and their own team, in the caller's transaction. Throws `email_already_exists`,
 * also when two sign-ups with the same address race.
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

/** The user with this folded email address, if one exists. */
export const findByEmail = (db: Db, email: string) => store.findByEmail(db, email)

/** The user with this id, if one exists. */
export const find = (db: Db, id: UserId) => store.find(db, id)

/**
 * Locks an unverified user until the transaction ends; undefined when the account is verified or
 * deleted. Everything that verifies, replaces or removes an account takes this lock first.
 */
export const lockUnverified = (tx: Tx, id: UserId): Promise<store.User | undefined> =>
  store.lockUnverified(tx, id)

/** Marks an account locked by `lockUnverified` as verified, in the caller's transaction. */
export async function verify(ctx: Pick<Context, 'clock' | 'sessions'>, tx: Tx, id: UserId) {
  await store.setVerified(tx, id, ctx.clock.now())
  await ctx.sessions.notifyUserChanged(tx, id)
}

/**
 * True while the account still has this password hash. The password then cannot change until the
 * transaction ends.
 */
export const lockPassword = (tx: Tx, id: UserId, passwordHash: string | null): Promise<boolean> =>
  store.lockPassword(tx, id, passwordHash)

/**
 * Sets a new password, verifies the account and ends all its sessions, in the caller's transaction.
 * The caller has checked that the user owns the address. False, without a change, when the account
 * signs in with an outside provider.
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
 * Sets a new password of a signed-in user and ends all other sessions, in the caller's transaction.
 * False, without a change, when `hashes.current` is no longer the stored hash.
 */
export async function changePassword(
  ctx: Pick<Context, 'clock' | 'sessions'>,
  tx: Tx,
  { userId, sessionId }: { userId: UserId; sessionId: SessionContext['session']['id'] },
  hashes: { current: string | null; next: string },
): Promise<boolean> {
  const { current, next } = hashes
  if (!(await store.replacePassword(tx, userId, { current, next }, ctx.clock.now()))) return false
  await ctx.sessions.endOthers(tx, userId, sessionId)
  return true
}

/** Removes a user without a team, and all their data, in the caller's transaction. */
export const remove = (tx: Tx, id: UserId): Promise<void> => store.remove(tx, id)
