import { signUp } from '@slipway/contract/auth'
import { getCaptchaChallenge } from '@slipway/contract/captcha'
import { limits, minute } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { password, unusedEmail } from '../auth/auth.fixture.ts'
import * as captcha from './captcha.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

describe(title(getCaptchaChallenge), () => {
  it('returns a challenge that expires in 5 minutes, without its solution', async () => {
    const challenge = await world.guest(getCaptchaChallenge)
    expect(Object.keys(challenge).sort()).toEqual([
      'algorithm',
      'challenge',
      'maxnumber',
      'salt',
      'signature',
    ])
    const expires = Number(new URLSearchParams(challenge.salt.split('?')[1]).get('expires'))
    expect(expires * 1000 - world.clock.now().getTime()).toBeGreaterThan(4 * minute)
    expect(expires * 1000 - world.clock.now().getTime()).toBeLessThanOrEqual(5 * minute)
  })
})

describe('captcha.accept', () => {
  it('accepts a solution once, even when two servers receive it at once', async () => {
    const otherApp = await world.anotherApp()
    const solution = await world.captcha()
    const accepted = await Promise.all([
      captcha.accept(world.ctx, solution),
      captcha.accept(otherApp.ctx, solution),
      captcha.accept(world.ctx, solution),
    ])
    expect(accepted.filter(Boolean)).toHaveLength(1)
  })

  it('rejects an expired, unsolved, forged or foreign challenge', async () => {
    const solution = await world.captcha()
    expect(await captcha.accept(world.ctx, { ...solution, number: solution.number + 1 })).toBe(
      false,
    )
    const [salt = ''] = solution.salt.split('?')
    expect(
      await captcha.accept(world.ctx, { ...solution, salt: `${salt}?expires=99999999999` }),
    ).toBe(false)
    expect(await captcha.accept(world.ctx, { ...solution, signature: 'x' })).toBe(false)
    world.clock.forward(limits.captchaLifetime + 1000)
    expect(await captcha.accept(world.ctx, solution)).toBe(false)
    const body = {
      name: 'Test User',
      email: unusedEmail(),
      password,
      __captcha_solution__: solution,
    }
    const error = await errorOf(world.guest(signUp, { body }))
    expect(error.fields).toEqual({
      __captcha_solution__: 'Please verify that you are not a robot',
    })
  })
})
