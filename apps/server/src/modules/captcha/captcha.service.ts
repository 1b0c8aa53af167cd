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

type Ctx = Pick<Context, 'db' | 'clock'>

const algorithm = 'SHA-256'
const digest = (text: string) => createHash('sha256').update(text).digest('base64')
const keyOf = (ctx: Ctx) => secrets.sharedKey(ctx, 'captcha')
/** The signature covers the salt too, for the salt holds the expiry time. */
const sign = (key: Buffer, salt: string, challenge: string) =>
  createHmac('sha256', key).update(`${salt}\n${challenge}`).digest('base64')

/** A new challenge (the ALTCHA scheme with base64), valid for 5 minutes. */
export async function challenge(ctx: Ctx): Promise<CaptchaChallenge> {
  const expires = Math.floor((ctx.clock.now().getTime() + limits.captchaLifetime) / 1000)
  const salt = `${randomBytes(12).toString('hex')}?expires=${expires}`
  const hidden = digest(salt + randomInt(limits.captchaMaxNumber + 1))
  return {
    algorithm,
    salt,
    challenge: hidden,
    maxnumber: limits.captchaMaxNumber,
    signature: sign(await keyOf(ctx), salt, hidden),
  }
}

/** True once for a right solution of one of our challenges that has not expired. */
export async function accept(ctx: Ctx, solution: CaptchaSolution): Promise<boolean> {
  const expires = captchaExpiry(solution)
  if (solution.algorithm !== algorithm || expires === null) return false
  if (expires <= ctx.clock.now().getTime()) return false

  const expected = Buffer.from(sign(await keyOf(ctx), solution.salt, solution.challenge))
  const given = Buffer.from(solution.signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false
  if (digest(solution.salt + solution.number) !== solution.challenge) return false
  return store.spend(ctx.db, solution.signature, new Date(expires))
}

/** Forgets the challenges that no longer count anyway. */
export const tidy = (ctx: Ctx) => store.removeExpired(ctx.db, ctx.clock.now())
