import type { UserId } from '@slipway/contract/account'
import { day } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, Tx } from '../../context.ts'
import * as account from '../account/account.service.ts'
import * as loginProvider from '../login-provider/login-provider.service.ts'
import * as personalTokens from '../personal-tokens/personal-tokens.service.ts'
import * as remains from '../projects/remains/remains.service.ts'
import * as releases from '../releases/releases.service.ts'
import * as signInClients from '../sign-in-clients/sign-in-clients.service.ts'
import * as siteRestores from '../site-restores/site-restores.service.ts'
import * as teams from '../teams/teams.service.ts'
import * as store from './retention.store.ts'

/** Does nothing if the account was verified meanwhile. */
async function remove(ctx: Pick<Context, 'sessions'>, tx: Tx, id: UserId) {
  if (!(await account.lockUnverified(tx, id))) return
  await ctx.sessions.endAll(tx, id)
  await teams.deleteOwnedTeams(tx, id)
  await account.remove(tx, id)
}

/**
 * Frees an email address for a user who proved that they own it, in the caller's transaction:
 * removes the account that never verified it, unless a module retains it. Returns the id of the
 * account it tried to remove; the caller drops its cached sessions after the commit.
 */
export async function releaseAddress(
  ctx: Pick<Context, 'keepsUser' | 'sessions'>,
  tx: Tx,
  email: string,
): Promise<UserId | undefined> {
  const id = await store.findRemovable(tx, ctx.keepsUser, email)
  if (id) await remove(ctx, tx, id)
  return id
}

/** How many accounts or projects one run handles at most; the next run handles the rest. */
const batchSize = 1000

/**
 * Removes the accounts that were not verified in 7 days, so that their addresses are free again.
 */
export async function removeUnverified(
  ctx: Pick<Context, 'db' | 'clock' | 'keepsUser' | 'sessions' | 'stopping' | 'write'>,
): Promise<void> {
  const createdUntil = new Date(ctx.clock.now().getTime() - serviceLimits.unverifiedLifetime)
  for (const id of await store.listRemovable(ctx.db, ctx.keepsUser, createdUntil, batchSize)) {
    if (ctx.stopping.aborted) return
    await ctx.write((tx) => remove(ctx, tx, id))
  }
}

/** Longer than a service is stopped: each project is handled within hours of its deletion. */
const deletedWithin = 30 * day

/**
 * Removes the rows of deleted projects from the database, except for the records that stay: the
 * project itself, its activity, usage and invoices, and its released domains.
 */
export async function removeOfDeletedProjects(
  ctx: Pick<Context, 'db' | 'clock' | 'stopping' | 'write'>,
): Promise<void> {
  const deletedAfter = new Date(ctx.clock.now().getTime() - deletedWithin)
  for (const id of await remains.list(ctx.db, { deletedAfter, limit: batchSize })) {
    if (ctx.stopping.aborted) return
    await ctx.write(async (tx) => {
      await releases.removeAll(tx, id)
      await loginProvider.removeGrants(tx, id)
      await signInClients.removeAll(tx, id)
      await personalTokens.removeProject(tx, id)
      await siteRestores.remove(tx, id)
      await remains.remove(tx, id)
    })
  }
}
