import type { CaptchaSolution } from '@slipway/contract/captcha'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { RequestContext, Tx } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { networkOf } from '../../network.ts'
import { invalid } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as captcha from '../captcha/captcha.service.ts'
import * as throttle from '../throttle/throttle.service.ts'

/** Tells an owner by email that logins to their account need a captcha. */
export const lockoutJob = 'auth.lockout'

const pairSubject = (email: string, network: string) => `login:${network}:${email}`

/**
 * The first lockout of an account in 15 minutes enqueues a job. It looks up the account later, so
 * that the time of the response is the same for an unknown address.
 */
async function recordLockout(ctx: RequestContext, tx: Tx, email: string) {
  const subject = `lockout:${email}`
  const now = ctx.clock.now()
  const isTold = (await throttle.count(tx, now, subject, 1)) > 0
  await throttle.add(tx, now, subject)
  if (isTold) return false
  await ctx.jobs.send(tx, lockoutJob, {
    email,
    address: ctx.address,
    time: now.toISOString(),
    lockoutId: newId(),
  })
  return true
}

/**
 * Counts a login before its password is checked, so concurrent guesses cannot exceed the limits.
 * Above them a login requires a captcha and is never locked: otherwise an attacker could lock out
 * the owner. Throws `validation_error` of `__captcha_solution__`. A solution is used up in any
 * case. After a right password the caller runs `resetCount`.
 */
export async function countLogin(
  ctx: RequestContext,
  email: string,
  solution: CaptchaSolution | null | undefined,
): Promise<{ resetCount(tx: Tx): Promise<void> }> {
  const isSolved = solution != null && (await captcha.accept(ctx, solution))
  const network = networkOf(ctx.address)
  const pair = pairSubject(email, network)
  const account = `login:account:${email}`
  const fromNetwork = `login:network:${network}`
  const counted = await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    // In this order, one after the other, so that two logins cannot deadlock.
    const isOver = async (subject: string, limit: number) =>
      (await throttle.count(tx, now, subject, limit)) >= limit
    const pairIsOver = await isOver(pair, serviceLimits.wrongPasswordsPerAccountAndNetwork)
    const accountIsOver = await isOver(account, serviceLimits.wrongPasswordsPerAccount)
    const networkIsOver = await isOver(fromNetwork, serviceLimits.wrongPasswordsPerNetwork)
    const isLockout = (pairIsOver || accountIsOver) && (await recordLockout(ctx, tx, email))
    if ((pairIsOver || accountIsOver || networkIsOver) && !isSolved) return { isLockout }
    await throttle.add(tx, now, pair)
    const accountId = await throttle.add(tx, now, account)
    const networkId = await throttle.add(tx, now, fromNetwork)
    return { isLockout, accountId, networkId }
  })
  if (counted.isLockout) logSecurityEvent(ctx, 'lockout', {})
  const { accountId, networkId } = counted
  if (accountId === undefined) throw invalid({ __captcha_solution__: 'form_verify_not_robot' })
  return {
    async resetCount(tx) {
      await throttle.reset(tx, pair)
      await throttle.undo(tx, account, accountId)
      await throttle.undo(tx, fromNetwork, networkId)
    },
  }
}

/** Resets the count of the caller's wrong passwords for the account, and its lockout. */
export async function resetLogins(ctx: RequestContext, tx: Tx, email: string) {
  await throttle.reset(tx, pairSubject(email, networkOf(ctx.address)))
  await throttle.reset(tx, `login:account:${email}`)
  await throttle.reset(tx, `lockout:${email}`)
}
