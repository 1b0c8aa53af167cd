import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

/** The n-th address for documentation (RFC 5737 §3). */
const documentationAddress = (n: number) => `203.0.113.${n}`

/**
 * Returns a function that logs in with a wrong password and returns the error: a `validation_error`
 * once the address needs a captcha.
 */
function createLoginAttempt(TRUST_PROXY: string[]) {
  const app = world.anotherApp({ TRUST_PROXY })
  let attempts = 0
  return async (forwardedFor: string) => {
    const response = await (await app).server.app.inject({
      method: 'POST',
      url: `/api${login.path}`,
      headers: { 'x-forwarded-for': forwardedFor },
      payload: { email: `user.${++attempts}@example.com`, password: 'x' },
    })
    return response.json().error
  }
}

const attemptLimit = serviceLimits.wrongPasswordsPerNetwork
const repeatToLimit = <Result>(work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: attemptLimit }, (_, n) => work(n)))

describe('client address', () => {
  it('a forged X-Forwarded-For does not raise the attempt limit', async () => {
    const logInFrom = createLoginAttempt([])
    expect(new Set(await repeatToLimit((n) => logInFrom(documentationAddress(n))))).toEqual(
      new Set(['invalid_credentials']),
    )
    expect(await logInFrom(documentationAddress(attemptLimit))).toBe('validation_error')
  })

  it('X-Forwarded-For of an untrusted proxy is ignored', async () => {
    const logInFrom = createLoginAttempt(['10.0.0.0/8'])
    await repeatToLimit((n) => logInFrom(documentationAddress(n)))
    expect(await logInFrom(documentationAddress(attemptLimit))).toBe('validation_error')
  })

  it('only the address added by a trusted proxy counts', async () => {
    const logInFrom = createLoginAttempt(['loopback'])
    await repeatToLimit(() => logInFrom(documentationAddress(1)))
    expect(await logInFrom(documentationAddress(1))).toBe('validation_error')
    expect(await logInFrom(`${documentationAddress(2)}, ${documentationAddress(1)}`)).toBe(
      'validation_error',
    )
    expect(await logInFrom(documentationAddress(2))).toBe('invalid_credentials')
  })
})
