import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import {
  type CaptchaChallenge,
  type CaptchaSolution,
  captchaExpiry,
} from '@slipway/contract/captcha'
import { limits } from '@slipway/contract/limits'
import type { Context } from '../../context.ts'
import * as secrets from '../secrets/secrets.service.ts'
import * as store from './captcha.store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'sealing' | 'write'>

const algorithm = 'SHA-256'
const digest = (text: string) => createHash('sha256').update(text).digest('base64')
const keyOf = (ctx: Ctx) => secrets.sharedKey(ctx, 'captcha')
/** Signs the salt too, because it contains the expiry time. */
const sign = (key: Buffer, salt: string, challenge: string) =>
  createHmac('sha256', key).update(`${salt}\n${challenge}`).digest('base64')

/** Creates a challenge (ALTCHA with base64 in place of hex), valid for 5 minutes. */
export async function challenge(ctx: Ctx): Promise<CaptchaChallenge> {
  const expires = Math.floor((ctx.clock.now().getTime() + limits.captchaLifetime) / 1000)
  const salt = `${randomBytes(12).toString('hex')}?expires=${expires}`
  const challengeHash = digest(salt + randomInt(limits.captchaMaxNumber + 1))
  return {
    algorithm,
    salt,
    challenge: challengeHash,
    maxnumber: limits.captchaMaxNumber,
    signature: sign(await keyOf(ctx), salt, challengeHash),
  }
}

/** True for a correct solution of an unexpired challenge that we issued, the first time only. */
export async function accept(ctx: Ctx, solution: CaptchaSolution): Promise<boolean> {
  const expires = captchaExpiry(solution)
  if (solution.algorithm !== algorithm || expires === null) return false
  if (expires <= ctx.clock.now().getTime()) return false

  const expected = Buffer.from(sign(await keyOf(ctx), solution.salt, solution.challenge))
  const signature = Buffer.from(solution.signature)
  if (expected.length !== signature.length || !timingSafeEqual(expected, signature)) return false
  if (digest(solution.salt + solution.number) !== solution.challenge) return false
  return store.redeem(ctx.db, solution.signature, new Date(expires))
}

/** Removes redeemed challenges that have expired. */
export const removeExpired = (ctx: Ctx) => store.removeExpired(ctx.db, ctx.clock.now())
