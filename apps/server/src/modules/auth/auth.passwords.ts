import { hash, verify } from '@node-rs/argon2'
import { limits } from '@slipway/contract/limits'
import type { RequestContext, Tx } from '../../context.ts'
import * as throttle from '../throttle/throttle.service.ts'

/** Argon2id with the parameters that OWASP's password storage cheat sheet names first. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, parameters)

let decoy: Promise<string> | undefined

/** True for the right password. Without a hash it takes as long and is false. */
async function isPassword(passwordHash: string | null | undefined, password: string) {
  decoy ??= hashPassword('no password of anybody')
  const right = await verify(passwordHash ?? (await decoy), password)
  return right && passwordHash != null
}

/**
 * Whether the password of the account with that address is right. Throws `too_many_requests` after 10
 * wrong ones for the account, or 100 from the caller's address, in 15 minutes. Every try counts before it
 * is looked at, so tries at the same time cannot slip past; `giveBack` takes a right one's count back.
 */
export async function tryPassword(
  ctx: RequestContext,
  email: string,
  passwordHash: string | null | undefined,
  password: string,
) {
  const ofAccount = `login:account:${email}`
  const ofAddress = `login:address:${ctx.address}`
  const counted = await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    await throttle.take(tx, now, ofAccount, limits.wrongPasswordsPerAccount, 'too_many_requests')
    return throttle.take(tx, now, ofAddress, limits.wrongPasswordsPerAddress, 'too_many_requests')
  })
  return {
    right: await isPassword(passwordHash, password),
    async giveBack(tx: Tx) {
      await throttle.reset(tx, ofAccount)
      await throttle.giveBack(tx, ofAddress, counted)
    },
  }
}
