import { day, hour, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { readEnv } from '../../env/env.ts'
import {
  dueNotice,
  nextOrderTime,
  ownHosts,
  renewalTime,
  retryDelay,
  suggestedRenewalTime,
} from './certificates.policy.ts'

const now = new Date('2026-11-02T09:00:00Z')
const afterNow = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const hosts = Array.from({ length: 1_000 }, (_, index) => `shop-${index}.example`)

describe('the renewal of 1,000 certificates that were issued at once', () => {
  const validity = { startsAt: now, expiresAt: afterNow(90 * day) }
  const days = hosts.map((host) => (renewalTime(host, validity).getTime() - now.getTime()) / day)

  it('is due with a third of their life left, or up to a tenth of it earlier', () => {
    expect(Math.max(...days)).toBeLessThanOrEqual(60)
    expect(Math.min(...days)).toBeGreaterThanOrEqual(57)
  })

  it('is spread over the whole time', () => {
    const busiest = Math.max(
      ...[57, 58, 59].map(
        (start) => days.filter((each) => each >= start && each < start + 1).length,
      ),
    )
    expect(busiest).toBeLessThan(400)
  })

  it('is spread over the window that the CA suggests', () => {
    const window = { start: afterNow(10 * day), end: afterNow(12 * day) }
    const times = hosts.map((host) => suggestedRenewalTime(host, validity, window).getTime())
    expect(Math.min(...times)).toBeGreaterThanOrEqual(window.start.getTime())
    expect(Math.max(...times)).toBeLessThanOrEqual(window.end.getTime())
    expect(times.filter((time) => time < afterNow(11 * day).getTime()).length).toBeGreaterThan(400)
  })

  it('is not postponed to the end of their life by a CA', () => {
    const window = { start: afterNow(88 * day), end: afterNow(89 * day) }
    expect(suggestedRenewalTime('shop.example', validity, window)).toEqual(afterNow(80 * day))
  })
})

it('a failed order is retried after five minutes at first and after a day at last', () => {
  for (const host of hosts.slice(0, 20)) {
    expect(retryDelay(1, host)).toBeGreaterThanOrEqual(5 * minute)
    expect(retryDelay(1, host)).toBeLessThan(5.5 * minute)
    expect(retryDelay(100, host)).toBeGreaterThanOrEqual(day)
    expect(retryDelay(100, host)).toBeLessThan(1.1 * day)
  }
})

describe('the next order of a host', () => {
  const ordered = (...ages: number[]) =>
    ages.map((age) => ({ createdAt: afterNow(-age), outcome: 'unreachable' }))

  it('waits for five minutes after the last one', () => {
    expect(nextOrderTime([], now)).toBeNull()
    expect(nextOrderTime(ordered(minute), now)).toEqual(afterNow(4 * minute))
    expect(nextOrderTime(ordered(5 * minute), now)).toBeNull()
  })

  it('waits until there are fewer than four in an hour', () => {
    const four = ordered(6 * minute, 15 * minute, 25 * minute, 50 * minute)
    expect(nextOrderTime(four, now)).toEqual(afterNow(10 * minute))
    expect(nextOrderTime(ordered(6 * minute, 15 * minute, 25 * minute), now)).toBeNull()
  })

  it('waits until there are fewer than four certificates in a week', () => {
    const issued = [1, 2, 3, 6].map((days) => ({
      createdAt: afterNow(-days * day),
      outcome: 'issued',
    }))
    expect(nextOrderTime(issued, now)).toEqual(afterNow(day))
    expect(nextOrderTime(issued.slice(1), now)).toBeNull()
    expect(nextOrderTime(ordered(day, 2 * day, 3 * day, 6 * day), now)).toBeNull()
  })
})

describe('the email about a certificate that is not renewed', () => {
  const noticeWith = (timeLeft: number, life: number) =>
    dueNotice({ startsAt: afterNow(timeLeft - life), expiresAt: afterNow(timeLeft) }, now)

  it.each([
    [22 * day, 90 * day, null],
    [21 * day, 90 * day, 'three_weeks'],
    [7 * day + hour, 90 * day, 'three_weeks'],
    [7 * day, 90 * day, 'one_week'],
    [1, 90 * day, 'one_week'],
    [0, 90 * day, 'expired'],
    [-day, 90 * day, 'expired'],
    // Valid for a year: the same.
    [22 * day, 365 * day, null],
    [7 * day, 365 * day, 'one_week'],
    // Renewed with 15 days left, then in proportion.
    [15 * day, 45 * day, null],
    [10 * day, 45 * day, 'three_weeks'],
    [3 * day, 45 * day, 'one_week'],
    // Valid for six days.
    [2 * day, 6 * day, null],
    [day, 6 * day, 'three_weeks'],
  ] as const)('with %d ms of %d left is %s', (timeLeft, life, notice) => {
    expect(noticeWith(timeLeft, life)).toBe(notice)
  })
})

describe('the hosts of the service with a certificate of the CA', () => {
  const hostsWith = (variables: Record<string, string>) =>
    ownHosts(
      readEnv({
        SMTP_URL: 'smtp://mail.example.com',
        PAYMENT_GATEWAY: 'sandbox',
        PUBLIC_URL: 'https://console.example.com',
        SITES_DOMAIN: 'sites.example.com',
        SITES_TLS_PORT: '443',
        ...variables,
      }),
    )
  const console = (challenge: string) => ({ host: 'console.example.com', challenge })
  const wildcard = { host: '*.sites.example.com', challenge: 'dns-01' }
  const files = (name: string) => ({ [`${name}_CERTIFICATE`]: '/c', [`${name}_KEY`]: '/k' })

  it('are the console, and with a hook the wildcard of the sites', () => {
    expect(hostsWith({})).toEqual([console('http-01')])
    expect(hostsWith({ ACME_DNS_HOOK: '/hook' })).toEqual([console('dns-01'), wildcard])
  })

  it('are not those with files', () => {
    expect(hostsWith({ ...files('CONSOLE_TLS') })).toEqual([])
    expect(hostsWith({ ACME_DNS_HOOK: '/hook', ...files('SITES_TLS') })).toEqual([
      console('dns-01'),
    ])
  })

  it.each([
    ['without a TLS port', { SITES_TLS_PORT: '' }],
    ['without a CA', { ACME_DIRECTORY: 'none' }],
    ['at an address', { PUBLIC_URL: 'https://192.0.2.1' }],
    ['at an IPv6 address', { PUBLIC_URL: 'https://[2001:db8::1]' }],
    ['at a name without a dot', { PUBLIC_URL: 'https://console' }],
    ['without https', { PUBLIC_URL: 'http://console.example.com' }],
  ])('are none %s', (_, variables) => {
    expect(hostsWith(variables)).toEqual([])
  })

  it('have no wildcard of localhost', () => {
    const variables = { ACME_DNS_HOOK: '/hook', SITES_DOMAIN: 'localhost' }
    expect(hostsWith(variables)).toEqual([console('dns-01')])
  })
})
