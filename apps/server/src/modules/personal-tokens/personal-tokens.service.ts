import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ResponseOf } from '@slipway/contract/endpoint'
import { day, minute } from '@slipway/contract/limits'
import {
  type getCurrentPersonalToken,
  type PersonalToken,
  type PersonalTokenId,
  personalTokenPrefix,
} from '@slipway/contract/personal-tokens'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type {
  Context,
  Db,
  RequestContext,
  SessionContext,
  SignedIn,
  TokenContext,
  TokenScope,
  Tx,
  UserContext,
} from '../../context.ts'
import { problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as mail from '../mail/mail.service.ts'
import * as teams from '../teams/teams.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import * as devices from './device-authorizations.store.ts'
import { createdEmail } from './personal-tokens.emails.ts'
import * as store from './personal-tokens.store.ts'

/** True for the form of a personal token, which no session has. */
export const isPersonalToken = (token: string) => token.startsWith(personalTokenPrefix)

const hash = (token: string) => createHash('sha256').update(token).digest()

/** The projects and the lifetime of a new token. */
export type Grant = {
  /** Null for all projects of the user's teams. */
  projectIds: readonly ProjectId[] | null
  days: number
}

const toResponse = (
  token: store.PersonalToken,
  projects: readonly store.TokenProject[],
): PersonalToken => ({
  id: token.id,
  name: token.name,
  projects: token.allProjects ? null : projects.map(({ id, key, name }) => ({ id, key, name })),
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUse: token.lastUsedAt && {
    time: token.lastUsedAt.toISOString(),
    address: token.lastUsedAddress ?? '',
    client: token.lastUsedClient,
  },
})

async function present(db: Db, tokens: readonly store.PersonalToken[]): Promise<PersonalToken[]> {
  const limited = tokens.filter((token) => !token.allProjects).map(({ id }) => id)
  const projects = limited.length === 0 ? [] : await store.listProjects(db, limited)
  return tokens.map((token) =>
    toResponse(
      token,
      projects.filter(({ tokenId }) => tokenId === token.id),
    ),
  )
}

/** The personal tokens of the signed-in user, the newest first. */
export const list = async (ctx: UserContext): Promise<PersonalToken[]> =>
  present(
    ctx.db,
    await store.listForUser(
      ctx.db,
      ctx.user.id,
      ctx.clock.now(),
      serviceLimits.personalTokensPerUser,
    ),
  )

/**
 * The chosen projects, all of which must be the user's; null for all projects. Throws
 * `project_not_found`, and `personal_token_limit_reached` when the user has as many tokens as
 * allowed.
 */
export async function requireGrantable(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  userId: UserId,
  projectIds: Grant['projectIds'],
) {
  if (
    (await store.countForUser(tx, userId, ctx.clock.now())) >= serviceLimits.personalTokensPerUser
  )
    throw problem('personal_token_limit_reached')
  const distinctIds = projectIds && [...new Set(projectIds)]
  const projects = distinctIds && (await store.listOwnProjects(tx, userId, distinctIds))
  if (projects?.length !== distinctIds?.length) throw problem('project_not_found')
  return projects
}

/**
 * Creates a token in the caller's transaction, and tells the user by email. Throws
 * `project_not_found`, `personal_token_limit_reached` and `too_many_requests`.
 */
export async function issue(
  ctx: Pick<RequestContext, 'clock' | 'env' | 'jobs' | 'locale' | 'address'>,
  tx: Tx,
  user: Pick<account.User, 'id' | 'name' | 'email' | 'locale' | 'loginKind'>,
  { name, projectIds, days }: Grant & { name: string },
): Promise<{ token: string; personalToken: PersonalToken }> {
  const now = ctx.clock.now()
  // Requests of one user wait for each other here, so the limit below is exact.
  await throttle.consume(
    tx,
    now,
    `personal-token:user:${user.id}`,
    serviceLimits.personalTokensMadePerUser,
    'too_many_requests',
  )
  const projects = await requireGrantable(ctx, tx, user.id, projectIds)
  const token = personalTokenPrefix + randomBytes(32).toString('base64url')
  const stored = await store.insert(
    tx,
    {
      userId: user.id,
      name,
      tokenHash: hash(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + days * day),
    },
    projects,
  )
  await mail.send(ctx, tx, {
    key: `personal-token:${stored.id}`,
    to: user.email,
    ...createdEmail({
      user,
      token: stored,
      projectNames: projects?.map(({ name }) => name),
      locale: user.locale ?? ctx.locale,
      publicUrl: ctx.env.PUBLIC_URL,
      address: ctx.address,
    }),
  })
  await teams.publishChangeToUser(tx, user.id)
  const [personalToken] = await present(tx, [stored])
  if (!personalToken) throw new Error('a token without a response')
  return { token, personalToken }
}

/**
 * Creates a token for programs, which only this response contains, and tells the user by email.
 * Throws `project_not_found`, `personal_token_limit_reached` and `too_many_requests`.
 */
export async function create(ctx: SessionContext, form: Grant & { name: string }) {
  const created = await ctx.write(async (tx) => {
    // A new password ends the session before it revokes the tokens: it waits for this one.
    await ctx.sessions.requireActive(tx, ctx.session.id)
    const user = await account.find(tx, ctx.user.id)
    if (!user) throw problem('unauthorized')
    return issue(ctx, tx, user, form)
  })
  logSecurityEvent(ctx, 'personal_token_created', { userId: ctx.user.id })
  return created
}

/** Revokes a token of the user, on every server. False if the token does not exist. */
async function revoke(ctx: UserContext, id: PersonalTokenId): Promise<boolean> {
  const revoked = await ctx.write(async (tx) => {
    if (!(await store.remove(tx, ctx.user.id, id))) return false
    await ctx.sessions.notifyTokenRevoked(tx, id)
    await teams.publishChangeToUser(tx, ctx.user.id)
    return true
  })
  if (revoked) logSecurityEvent(ctx, 'personal_token_revoked', { userId: ctx.user.id })
  return revoked
}

/** Revokes a token of the user. Throws `item_not_found`. */
export async function remove(ctx: UserContext, id: PersonalTokenId): Promise<void> {
  if (!(await revoke(ctx, id))) throw problem('item_not_found')
}

/** The token of the request. Throws `unauthorized` when it was revoked meanwhile. */
export async function current(
  ctx: TokenContext,
): Promise<ResponseOf<typeof getCurrentPersonalToken>> {
  const token = await store.findForUser(ctx.db, ctx.user.id, ctx.token.id)
  const [personalToken] = token ? await present(ctx.db, [token]) : []
  if (!personalToken) throw problem('unauthorized')
  return { user: { name: ctx.user.name, email: ctx.user.email }, personalToken }
}

/** Revokes the token of the request; no effect when another request has revoked it meanwhile. */
export async function removeCurrent(ctx: TokenContext): Promise<void> {
  await revoke(ctx, ctx.token.id)
}

/**
 * Revokes all tokens of a user, including approved ones that no program has fetched, in the
 * caller's transaction.
 */
export async function removeAll(
  ctx: Pick<Context, 'sessions'>,
  tx: Tx,
  userId: UserId,
): Promise<void> {
  // First: this waits for a poll that is creating its token, which is then revoked, too.
  await devices.removeOfUser(tx, userId)
  for (const id of await store.removeOfUser(tx, userId))
    await ctx.sessions.notifyTokenRevoked(tx, id)
}

/**
 * The user of a token and its projects; null for a token that is unknown, expired, or has lost all
 * its projects. Stores its use once a minute. Not cached: a revoked token fails at once.
 */
export async function authenticate(
  ctx: Pick<Context, 'db' | 'clock'>,
  token: string,
  origin: { address: string; client: string | undefined },
): Promise<{ user: SignedIn; token: TokenScope } | null> {
  const now = ctx.clock.now()
  const row = await store.findByHash(ctx.db, hash(token), now)
  if (!row) return null
  const { id, allProjects, lastUsedAt } = row.token
  const thisMinute = new Date(Math.floor(now.getTime() / minute) * minute)
  if (!lastUsedAt || lastUsedAt < thisMinute)
    await store.touch(ctx.db, id, {
      lastUsedAt: thisMinute,
      lastUsedAddress: origin.address,
      lastUsedClient: programOf(origin.client),
    })
  const { verifiedAt, ...user } = row.user
  return {
    user: { ...user, verified: verifiedAt !== null },
    token: { id, projects: allProjects ? null : await store.listProjects(ctx.db, [id]) },
  }
}

/** The first product of a User-Agent header (RFC 9110 §10.1.5): `slipway/0.1.0`. */
const programOf = (userAgent: string | undefined) =>
  /^[\w!#$%&'*+.^`|~-]+(\/[\w!#$%&'*+.^`|~-]+)?/.exec(userAgent ?? '')?.[0].slice(0, 60) ?? null

/** Removes expired tokens. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, ctx.clock.now())

/** Removes a deleted project from all tokens. A token that has lost all its projects is invalid. */
export const removeProject = store.removeProject
