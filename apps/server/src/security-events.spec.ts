import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgotPassword, resetPassword } from '@slipway/contract/auth'
import { listOperatorTickets } from '@slipway/contract/operator'
import { listProducts } from '@slipway/contract/products'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login, logout } from '@slipway/contract/sessions'
import { register } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  mailedToken,
  openVerificationLink,
  password,
  signUpUser,
} from './modules/auth/auth.fixture.ts'
import { root } from './root.ts'
import { outcome } from './testing/matchers.ts'
import { createWorld, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  await world.startWorkers()
})
afterAll(() => world.close())

/** The events that are logged meanwhile, without the fields that every line has. */
async function eventsOf(work: () => Promise<unknown>) {
  const first = world.logged.length
  await work()
  const lines = world.logged.slice(first).map((line) => JSON.parse(line))
  return lines
    .filter(({ event }) => event !== undefined)
    .map(
      ({ level: _level, time: _time, pid: _pid, hostname: _hostname, reqId, msg, ...fields }) => {
        expect([typeof reqId, typeof msg]).toEqual(['string', 'string'])
        return fields
      },
    )
}

describe('the log of security events', () => {
  const address = '127.0.0.1'

  it('has the life of an account, from sign-up to a new password', async () => {
    const email = 'logged@example.com'
    const { userId } = (await eventsOf(() => signUpUser(world, email)))[0] ?? {}
    expect(userId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await eventsOf(() => openVerificationLink(world, email))).toEqual([
      { event: 'account_verified', address, userId },
    ])
    let token = ''
    expect(
      await eventsOf(async () => {
        token = (await world.guest(login, { body: { email, password } })).token
        await world.client(token)(logout)
      }),
    ).toEqual([
      { event: 'login', address, userId },
      { event: 'logout', address, userId },
    ])
    expect(
      await eventsOf(async () => {
        await world.guest(forgotPassword, { body: { email } })
        const mailed = await mailedToken(world, email, '/auth/reset-password')
        await world.guest(resetPassword, { body: { token: mailed, password: 'New-horse99' } })
      }),
    ).toEqual([
      { event: 'password_reset_requested', address },
      { event: 'password_changed', address, userId },
    ])
  })

  it('has failed logins and the lockout, without the text that was typed', async () => {
    const user = await world.user({ email: 'guessed@example.com', password })
    const wrong = { email: user.email, password: 'Wrong-horse7' }
    const events = await eventsOf(async () => {
      for (let tries = 0; tries <= serviceLimits.wrongPasswordsPerAccountAndNetwork + 1; tries++)
        await outcome(world.guest(login, { body: wrong }))
      await outcome(world.guest(login, { body: { email: 'Typed-by-mistake7', password: 'x' } }))
    })
    const failed = { event: 'login_failed', address, reason: 'invalid_credentials' }
    expect(events).toEqual([
      ...Array.from({ length: serviceLimits.wrongPasswordsPerAccountAndNetwork }, () => ({
        ...failed,
        userId: user.id,
      })),
      { event: 'lockout', address },
      failed,
    ])
    expect(world.logged.join('').toLowerCase()).not.toMatch(/wrong-horse7|typed-by-mistake7/)
  })

  it('has every call of an operator, and of a user who tries one', async () => {
    const operator = await world.user({ email: 'operator@example.com' })
    const user = await world.user()
    const events = await eventsOf(async () => {
      await operator.call(listProducts)
      await operator.call(listOperatorTickets, { query: {} })
      await outcome(user.call(listProducts))
    })
    expect(events).toEqual([
      {
        event: 'operator_call',
        address,
        userId: operator.id,
        endpoint: 'GET /operator/product/all',
      },
      {
        event: 'operator_call',
        address,
        userId: operator.id,
        endpoint: 'GET /operator/ticket/all',
      },
      { event: 'operator_call_rejected', address, userId: user.id },
    ])
  })

  it('has an event for each entry of docs/operations.md, and no other', async () => {
    const metrics = await register.getMetricsAsJSON()
    const counter = metrics.find(({ name }) => name === 'slipway_security_events_total')
    const events = counter?.values.map(({ labels: { event } }) => event)
    const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    const section = operations.split('\n## Security events\n')[1]?.split('\n## ')[0] ?? ''
    const cells = [...section.matchAll(/^\| (`[^|]+) \| \S/gm)].map(([, cell = '']) => cell)
    const documented = cells.flatMap((cell) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect(documented.toSorted()).toEqual(events?.toSorted())
  })
})
