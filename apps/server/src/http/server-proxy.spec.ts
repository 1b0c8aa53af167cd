import { limits } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

/** The n-th address for documentation (RFC 5737 §3). */
const visitor = (n: number) => `203.0.113.${n}`

/** Sends a wrong password for a new account from the loopback and returns the error. */
function createLoginAttempt(TRUST_PROXY: string[]) {
  const app = world.anotherApp({ TRUST_PROXY })
  let tries = 0
  return async (forwardedFor: string) => {
    const answer = await (await app).server.app.inject({
      method: 'POST',
      url: `/api${login.path}`,
      headers: { 'x-forwarded-for': forwardedFor },
      payload: { email: `somebody.${++tries}@example.com`, password: 'x' },
    })
    return answer.json().error
  }
}

const all = limits.wrongPasswordsPerAddress
const often = <Result>(work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: all }, (_, n) => work(n)))

describe('client address', () => {
  it('a forged X-Forwarded-For does not raise the attempt limit', async () => {
    const tryFrom = createLoginAttempt([])
    expect(new Set(await often((n) => tryFrom(visitor(n))))).toEqual(
      new Set(['invalid_credentials']),
    )
    expect(await tryFrom(visitor(all))).toBe('too_many_requests')
  })

  it('X-Forwarded-For of an untrusted proxy is ignored', async () => {
    const tryFrom = createLoginAttempt(['10.0.0.0/8'])
    await often((n) => tryFrom(visitor(n)))
    expect(await tryFrom(visitor(all))).toBe('too_many_requests')
  })

  it('only the address added by a trusted proxy counts', async () => {
    const tryFrom = createLoginAttempt(['loopback'])
    await often(() => tryFrom(visitor(1)))
    expect(await tryFrom(visitor(1))).toBe('too_many_requests')
    expect(await tryFrom(`${visitor(2)}, ${visitor(1)}`)).toBe('too_many_requests')
    expect(await tryFrom(visitor(2))).toBe('invalid_credentials')
  })
})
