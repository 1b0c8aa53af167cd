import { hash, verify } from '@node-rs/argon2'
import { limits } from '@slipway/contract/limits'
import type { RequestContext, Tx } from '../../context.ts'
import { networkOf } from '../../network.ts'
import * as throttle from '../throttle/throttle.service.ts'

/** The first Argon2id parameters of OWASP's password storage cheat sheet. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, parameters)

let decoy: Promise<string> | undefined

/** True for the right password. Takes as long without a hash, so timing tells nothing. */
async function isPassword(passwordHash: string | null | undefined, password: string) {
  decoy ??= hashPassword('decoy')
  const matches = await verify(passwordHash ?? (await decoy), password)
  return matches && passwordHash != null
}

/**
 * Checks the password of the account with this email. Throws `too_many_requests` after 10 wrong
 * ones for the account, or 100 from the caller's address, in 15 minutes. Counts before it checks,
 * so concurrent guesses cannot exceed the limit; after a right password the caller runs
 * `resetCount`.
 */
export async function checkPassword(
  ctx: RequestContext,
  email: string,
  passwordHash: string | null | undefined,
  password: string,
) {
  const accountSubject = `login:account:${email}`
  const addressSubject = `login:address:${networkOf(ctx.address)}`
  const attemptId = await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    await throttle.take(
      tx,
      now,
      accountSubject,
      limits.wrongPasswordsPerAccount,
      'too_many_requests',
    )
    return throttle.take(
      tx,
      now,
      addressSubject,
      limits.wrongPasswordsPerAddress,
      'too_many_requests',
    )
  })
  return {
    isRight: await isPassword(passwordHash, password),
    async resetCount(tx: Tx) {
      await throttle.reset(tx, accountSubject)
      await throttle.giveBack(tx, addressSubject, attemptId)
    },
  }
}
