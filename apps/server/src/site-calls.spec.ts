import { describe, expect, it } from 'vitest'
import { connectionLimits } from './connection-limits.ts'
import { readEnv } from './env/env.ts'
import { isSiteCall, siteCallAddress } from './site-calls.ts'
import { createLogBook } from './testing/log-book.ts'
import { createProxyWatch } from './untrusted-proxy.ts'

const keys = Array.from({ length: 1_000 }, (_, index) => `site-${index}`)

describe('the address from which a site calls itself', () => {
  it('is one of the loopback network for each site, which the machine itself does not use', () => {
    const addresses = keys.map(siteCallAddress)
    expect(new Set(addresses).size).toBe(keys.length)
    for (const address of addresses) {
      expect(address).toMatch(/^127\./)
      expect([isSiteCall(address), isSiteCall(`::ffff:${address}`)]).toEqual([true, true])
    }
    for (const address of [
      '127.0.0.1',
      '127.0.1.1',
      '127.63.0.1',
      '127.128.0.1',
      '::1',
      '8.127.64.1',
    ])
      expect(isSiteCall(address), address).toBe(false)
  })

  it('is no trusted proxy, even where loopback is one, and is not reported as a missing proxy', () => {
    const { log } = createLogBook()
    const env = { ...readEnv({}), TRUST_PROXY: ['loopback'] }
    const { isProxy } = connectionLimits(env, log)
    const address = siteCallAddress('blog')
    expect([isProxy('127.0.0.1'), isProxy(address), isProxy(`::ffff:${address}`)]).toEqual([
      true,
      false,
      false,
    ])
    const watch = createProxyWatch({ isProxy }, log)
    const headers = { 'x-forwarded-for': '6.6.6.6' }
    watch.observe({ headers, socket: { remoteAddress: address } as never })
    expect(watch.untrusted()).toBeUndefined()
  })
})
