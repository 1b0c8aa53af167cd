import type { UserId } from '@slipway/contract/account'
import type { ProjectId, ProjectState } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { latest } from '../../clock.ts'
import type { Context, Db, Tx } from '../../context.ts'
import { website } from '../products/products.policy.ts'
import { isBilled, monthStart } from './usage.policy.ts'
import * as store from './usage.store.ts'

export type { Account, Usage } from './usage.store.ts'

type UsageProject = { id: ProjectId; teamId: TeamId; state: ProjectState }

/**
 * Notes whether a project runs, in the transaction that changes its state: the one place where usage
 * begins and ends. Done again it does nothing. The project's row must be locked.
 */
export async function recordState(ctx: Pick<Context, 'clock'>, tx: Tx, project: UsageProject) {
  const last = await store.findLast(tx, project.id)
  const open = last !== undefined && last.endedAt === null
  if (isBilled[project.state] === open) return
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
  const account = await lockOwnAccount(tx, userId)
  await store.insert(tx, {
    projectId: project.id,
    userId,
    productId: website,
    // Servers' clocks differ: what has been billed, and what the project ran before, stay as they are.
    startedAt: latest(now, account.billedUntil, last?.endedAt ?? now),
    createdAt: now,
  })
}

async function endInterval(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  { id, userId, startedAt }: store.Interval,
) {
  const account = await lockOwnAccount(tx, userId)
  // What has been billed as running did run: an earlier end would bill its hours a second time.
  await store.setEnded(tx, id, latest(ctx.clock.now(), startedAt, account.billedUntil))
}

async function lockOwnAccount(tx: Tx, userId: UserId) {
  const account = await store.lockAccount(tx, userId, 'share')
  if (!account) throw new Error(`user ${userId} has usage and no account`)
  return account
}

/** The user's usage that has a part in a time, by its beginnings; the end of the time is exclusive. */
export const list = (
  db: Db,
  userId: UserId,
  time: { start: Date; end: Date },
): Promise<store.Usage[]> => store.listForUser(db, userId, time)

/** How far somebody is billed; undefined for a user of whom no project ever ran. */
export const findAccount = (db: Db, userId: UserId): Promise<store.Account | undefined> =>
  store.findAccount(db, userId)

/** The same, and until the transaction ends nobody else bills them, nor does usage of theirs begin or end. */
export const lockAccount = (tx: Tx, userId: UserId): Promise<store.Account | undefined> =>
  store.lockAccount(tx, userId, 'update')

/** Notes that somebody, whose account is locked, is billed until then. Rejects when it was not as given. */
export const setBilledUntil = (tx: Tx, account: store.Account, until: Date): Promise<void> =>
  store.setBilledUntil(tx, account, until)

/** Users who are billed up to a moment before that one, page after page: those after an account. */
export const listBilledBefore = store.listBilledBefore
