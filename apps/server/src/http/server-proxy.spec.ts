import { limits } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

/** Addresses of documentation (RFC 5737 §3): the n-th visitor's. */
const visitor = (n: number) => `203.0.113.${n}`

/** Tries a wrong password on an account of its own, over a connection from the loopback; gives the error. */
function createTries(TRUST_PROXY: string[]) {
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

describe('the address of a caller', () => {
  it('is that of the connection: nobody forges another to try more passwords', async () => {
    const tryFrom = createTries([])
    expect(new Set(await often((n) => tryFrom(visitor(n))))).toEqual(
      new Set(['invalid_credentials']),
    )
    expect(await tryFrom(visitor(all))).toBe('too_many_requests')
  })

  it('is not what somebody says who is no proxy of ours', async () => {
    const tryFrom = createTries(['10.0.0.0/8'])
    await often((n) => tryFrom(visitor(n)))
    expect(await tryFrom(visitor(all))).toBe('too_many_requests')
  })

  it('is the one a trusted proxy names, and no other that came with it', async () => {
    const tryFrom = createTries(['loopback'])
    await often(() => tryFrom(visitor(1)))
    expect(await tryFrom(visitor(1))).toBe('too_many_requests')
    expect(await tryFrom(`${visitor(2)}, ${visitor(1)}`)).toBe('too_many_requests')
    expect(await tryFrom(visitor(2))).toBe('invalid_credentials')
  })
})
