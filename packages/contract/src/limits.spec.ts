import { describe, expect, it } from 'vitest'
import { day, hour, limits, minute, second } from './limits.ts'
import { countries } from './payment-methods.ts'

describe('the limits of the specification', () => {
  // Repeated on purpose, because everything else imports them.
  it('have the values that the specification states', () => {
    expect(limits).toMatchObject({
      textMin: 3,
      passwordMin: 8,
      passwordMax: 64,
      captchaMaxNumber: 50_000,
      loginStateLifetime: 300_000,
      billedHoursPerMonth: 672,
      unpaidWarningAfter: 864e5,
      ticketClosesAfter: 864e5,
      cardNumberLength: 16,
      expireYearMax: 9999,
      socketPing: 50_000,
      socketReconnectDelays: [1000, 5000, 10_000, 15_000, 30_000],
      toastLifetime: 5000,
      linkPreloadDelay: 20,
      redirects: 100,
    })
  })

  it('are in milliseconds', () => {
    expect([second, minute, hour, day]).toEqual([1000, 60_000, 3_600_000, 86_400_000])
  })

  it('include Turkey and England as countries', () => {
    expect(countries).toEqual(['Turkey', 'England'])
  })
})
