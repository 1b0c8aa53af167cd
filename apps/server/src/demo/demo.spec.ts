import { getProfile } from '@slipway/contract/account'
import type { Client } from '@slipway/contract/client'
import {
  downloadInvoice,
  getActiveInvoice,
  listInvoices,
  listUnpaidInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { day, hour } from '@slipway/contract/limits'
import { viewProjectLogs } from '@slipway/contract/logs'
import { money } from '@slipway/contract/money'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { listProjects, viewProject } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { listTickets, viewTicket } from '@slipway/contract/support'
import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import { viewTraffic } from '@slipway/contract/traffic'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/world.ts'
import { createHistory } from './demo.history.ts'
import { ada, alan, grace, operator, type Person, password } from './demo.people.ts'

/** Days at the start, in the middle and at the end of a month, and one after February. */
const days = ['2026-11-01T00:30:00Z', '2026-11-21T19:00:00Z', '2027-03-01T23:00:00Z']

describe.each(days)('demo started at %s', (begun) => {
  const now = new Date(begun)
  let world: World
  let asAda: Client
  let asGrace: Client

  const signIn = async ({ email }: Person) => {
    const { token } = await world.guest(login, { body: { email, password } })
    return world.client(token)
  }

  beforeAll(async () => {
    world = await createWorld(
      { OPERATOR_EMAILS: [operator.email] },
      new Date(now.getTime() - 130 * day),
    )
    const clock = {
      now: world.clock.now,
      moveTo: (time: Date) => world.clock.forward(time.getTime() - world.clock.now().getTime()),
    }
    await createHistory(world.app, clock, now)
    clock.moveTo(now)
    asAda = await signIn(ada)
    asGrace = await signIn(grace)
  })
  afterAll(() => world.close())

  it('two users are members of each other’s teams and have pending invitations', async () => {
    const teams = await asAda(listTeams)
    expect(teams).toEqual(await asGrace(listTeams))
    const owners = await Promise.all([asAda(getProfile), asGrace(getProfile)])
    expect(teams.map(({ userId }) => userId).sort()).toEqual(owners.map(({ id }) => id).sort())
    expect(await asAda(listInvitations)).toMatchObject([{ teamName: 'Night Market' }])
    const ownTeam = teams.find(({ userId }) => userId === owners[0].id)
    const detail = await asAda(viewTeam, { params: { id: ownTeam?.id ?? ('' as never) } })
    expect(detail.users.map(({ name }) => name)).toEqual([grace.name, alan.name])
    expect(detail.invited).toMatchObject([{ email: 'mary@example.com' }])
  })

  it('each site has traffic on each day of a week, and requests in the last hours', async () => {
    const sites = (await asAda(listProjects)).filter(({ state }) => state === 'ready')
    // One site is a day old.
    for (const { id, name, createdAt } of sites) {
      const params = { id }
      const { points } = await asAda(viewTraffic, { params, query: { range: 'week' } })
      const days = points.filter(({ time }) => Date.parse(time) > Date.parse(createdAt))
      expect(points.at(-1)?.requests, name).toBeGreaterThan(0)
      for (const { requests, visitors } of days) {
        expect(visitors, name).toBeGreaterThan(0)
        expect(requests, name).toBeGreaterThan(visitors)
      }
      const log = await asAda(viewProjectLogs, { params, query: { source: 'requests' } })
      expect(log.items, name).toHaveLength(100)
    }
  })

  it('projects are ready, failed with a reason, or deleted today', async () => {
    const projects = await asAda(listProjects)
    const states = projects.map(({ state }) => state)
    expect(states.filter((state) => state === 'ready')).toHaveLength(7)
    expect(projects.filter(({ failure }) => failure)).toMatchObject([
      { name: 'Winter Fair', state: 'failed_creating', failure: 'site_not_answering' },
    ])
    expect(projects.filter(({ state }) => state === 'deleted')).toMatchObject([
      { name: 'Spring Exhibition' },
    ])
    expect(projects.filter(({ domain }) => domain)).toMatchObject([{ name: 'Harbour Cafe' }])
    expect(await asGrace(listProjects)).toEqual(projects)
    for (const { key } of projects) {
      const { metadata } = await asAda(viewProject, { params: { key } })
      expect(metadata.map((each) => each.key)).toContain('engine')
    }
  })

  it('tickets are open, replied but unread, or resolved with a thread', async () => {
    const tickets = await asAda(listTickets)
    expect(tickets.filter(({ state }) => state === 'resolved')).toHaveLength(2)
    expect(tickets.filter(({ unread }) => unread)).toHaveLength(1)
    for (const { id } of tickets) {
      const { messages } = await asAda(viewTicket, { params: { id } })
      expect(messages.length).toBeGreaterThan(0)
    }
    expect((await asGrace(listTickets)).filter(({ unread }) => unread)).toHaveLength(1)
  })

  it('invoices are paid with each card, overdue, just issued, or active', async () => {
    const { items } = await asAda(listInvoices, { query: { page: 1, perPage: 10 } })
    const paid = items.filter(({ paidAt }) => paidAt)
    expect(paid.length).toBeGreaterThan(1)
    const details = await Promise.all(paid.map(({ id }) => asAda(viewInvoice, { params: { id } })))
    expect(new Set(details.map(({ paidWith }) => paidWith?.cardAssoc)).size).toBe(2)
    expect((await asAda(listUnpaidInvoices)).filter(({ overdue }) => overdue)).toHaveLength(1)
    const [fresh] = await asGrace(listUnpaidInvoices)
    expect(fresh).toMatchObject({ overdue: false })
    expect(money((await asAda(getActiveInvoice)).amount).gt(0)).toBe(true)
    const [last] = paid
    const file = await asAda(downloadInvoice, { params: { id: last?.id ?? ('' as never) } })
    expect(file).toBeDefined()
  })

  it('three cards exist: the default, another and an expired one', async () => {
    expect(await asAda(listPaymentMethods)).toMatchObject([
      { cardAssoc: 'visa', isDefault: true, expired: false },
      { cardAssoc: 'master_card', isDefault: false, expired: false },
      { cardAssoc: 'troy', isDefault: false, expired: true },
    ])
  })

  it('no time in the database is in the future', async () => {
    const times = (await asAda(listProjects)).flatMap(({ createdAt, updatedAt }) => [
      createdAt,
      updatedAt,
    ])
    for (const { id } of await asAda(listTickets)) {
      const { messages } = await asAda(viewTicket, { params: { id } })
      times.push(...messages.map(({ createdAt }) => createdAt))
    }
    for (const time of times) expect(Date.parse(time)).toBeLessThan(now.getTime())
    expect(Math.max(...times.map((time) => Date.parse(time)))).toBeGreaterThan(now.getTime() - hour)
  })
})
