import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { latest } from '../../clock.ts'
import type { Context, Db, Tx } from '../../context.ts'
import { websiteProductId } from '../products/products.policy.ts'
import { type Billable, isBilled, monthStart } from './usage.policy.ts'
import * as store from './usage.store.ts'

export type { Account, Usage } from './usage.store.ts'

type UsageProject = Billable & { id: ProjectId; teamId: TeamId }

/**
 * Starts or ends a project's usage interval to match its state, in the transaction that changes the
 * state. Idempotent. The project's row must be locked.
 */
export async function recordState(ctx: Pick<Context, 'clock'>, tx: Tx, project: UsageProject) {
  const last = await store.findLast(tx, project.id)
  const open = last !== undefined && last.endedAt === null
  if (isBilled(project) === open) return
  if (open) await endInterval(ctx, tx, last)
  else await startInterval(ctx, tx, project, last)
}

async function startInterval(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  project: UsageProject,
  last: store.Interval | undefined,
) {
  const now = ctx.clock.now()
  const userId = await store.findOwnerId(tx, project.teamId)
  if (!userId) throw new Error(`project ${project.id} has no owner`)
  await store.insertAccount(tx, { userId, billedUntil: monthStart(now), createdAt: now })
  const account = await lockAccountShared(tx, userId)
  await store.insert(tx, {
    projectId: project.id,
    userId,
    productId: websiteProductId,
    // Servers' clocks differ: an interval never starts within a billed period or an earlier
    // interval.
    startedAt: latest(now, account.billedUntil, last?.endedAt ?? now),
    createdAt: now,
  })
}

async function endInterval(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  { id, userId, startedAt }: store.Interval,
) {
  const account = await lockAccountShared(tx, userId)
  // Never before `billedUntil`: the period was billed as running, an earlier end would be wrong.
  await store.setEnded(tx, id, latest(ctx.clock.now(), startedAt, account.billedUntil))
}

async function lockAccountShared(tx: Tx, userId: UserId) {
  const account = await store.lockAccount(tx, userId, 'share')
  if (!account) throw new Error(`user ${userId} has usage but no billing account`)
  return account
}

/** The user's usage intervals that overlap a time span (`end` exclusive), by start. */
export const list = (
  db: Db,
  userId: UserId,
  span: { start: Date; end: Date },
): Promise<store.Usage[]> => store.listForUser(db, userId, span)

/** The user's billing account; undefined if none of their projects ever ran. */
export const findAccount = (db: Db, userId: UserId): Promise<store.Account | undefined> =>
  store.findAccount(db, userId)

/** Locks the billing account until the transaction ends, so that billing and usage wait. */
export const lockAccount = (tx: Tx, userId: UserId): Promise<store.Account | undefined> =>
  store.lockAccount(tx, userId, 'update')

/** Advances a locked account's `billedUntil`. Rejects when it has changed since it was read. */
export const setBilledUntil = (tx: Tx, account: store.Account, until: Date): Promise<void> =>
  store.setBilledUntil(tx, account, until)

/**
 * A page of the accounts whose `billedUntil` is before `end`, oldest first, after the account
 * `cursor`.
 */
export const listBilledBefore = store.listBilledBefore
