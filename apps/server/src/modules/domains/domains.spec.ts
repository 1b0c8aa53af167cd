import { hour, limits, minute } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  checkProjectDomain,
  createProject,
  deleteProject,
  listProjects,
  type ProjectId,
  renameProject,
  viewProject,
} from '@slipway/contract/projects'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { createDnsServer, type DnsServer } from '../../testing/dns-server.ts'
import { type EventRecorder, recordEvents } from '../../testing/event-recorder.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { nextCheckAt } from './domains.policy.ts'
import * as domains from './domains.service.ts'
import * as store from './domains.store.ts'

const gateway = 'gateway-eu.localhost'
const elsewhere = { cname: 'elsewhere.example' }

let world: World
let ctx: Context
let dns: DnsServer
let owner: TestUser
let events: EventRecorder

beforeAll(async () => {
  dns = await createDnsServer({ 'elsewhere.example': { a: ['198.51.100.7'] } })
  world = await createWorld({ DNS_SERVERS: [dns.address], PROJECT_LIMIT: 100 })
  ctx = world.ctx
  owner = await world.user()
  events = await recordEvents(world.database.options)
})
afterAll(async () => {
  await events.close()
  await world.close()
  await dns.close()
})
// The rate limit starts again for each test.
beforeEach(() => world.clock.forward(limits.attemptWindow))

let domainCount = 0
const newDomain = () => `www.shop-${++domainCount}.example`

/** A project with a new domain that has not been checked. */
async function withDomain(domain: string | null = newDomain()) {
  const body = { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain }
  return owner.call(createProject, { body })
}

const dnsOf = async (key: string) => (await owner.call(viewProject, { params: { key } })).dns
const stored = (id: ProjectId) => store.find(ctx.db, id)
const change = (id: ProjectId, domain: string | null) =>
  owner.call(changeProjectDomain, { params: { id }, body: { domain } })
const checkNow = (id: ProjectId) => owner.call(checkProjectDomain, { params: { id } })
/** The verdict in the list of projects. */
const listedVerdict = async (id: ProjectId) =>
  (await owner.call(listProjects)).find((project) => project.id === id)?.domainVerdict
const now = () => ctx.clock.now().toISOString()

/** Takes the recorded events; returns those of the project. */
const projectEvents = async (id: ProjectId) =>
  (await events.take()).filter(({ kind, data }) => kind === 'Project' && data.projectId === id)

describe('the DNS of a project', () => {
  it('is null without a custom domain, and no name server is queried', async () => {
    const { id, key } = await withDomain(null)
    expect(await dnsOf(key)).toBeNull()
    expect(await stored(id)).toBeUndefined()
  })

  it('shows the required record before the first check', async () => {
    const { key, domain } = await withDomain()
    expect(await dnsOf(key)).toEqual({
      name: domain,
      type: 'CNAME',
      expected: gateway,
      found: [],
      verdict: null,
      checkedAt: null,
      foundAt: null,
    })
  })

  it('shows the records of the last check and its time', async () => {
    const { id, key, domain } = await withDomain()
    dns.set(String(domain), { cname: gateway })
    await domains.check(ctx, id)
    expect(await dnsOf(key)).toMatchObject({
      found: [{ type: 'CNAME', value: gateway }],
      verdict: 'correct',
      checkedAt: now(),
      foundAt: now(),
    })
  })

  it('has the same verdict in the list, the detail and the response to a change', async () => {
    const { id, key, domain, domainVerdict } = await withDomain()
    expect(domainVerdict).toBeNull()
    expect(await listedVerdict(id)).toBeNull()
    for (const [records, verdict] of [
      [elsewhere, 'different'],
      [{ cname: gateway }, 'correct'],
    ] as const) {
      dns.set(String(domain), records)
      await domains.check(ctx, id)
      expect(await listedVerdict(id)).toBe(verdict)
      expect((await owner.call(viewProject, { params: { key } })).domainVerdict).toBe(verdict)
      const renaming = { params: { id }, body: { name: `Now ${verdict}` } }
      expect((await owner.call(renameProject, renaming)).domainVerdict).toBe(verdict)
    }
    expect((await change(id, newDomain())).domainVerdict).toBeNull()
    expect(await listedVerdict(id)).toBeNull()
  })

  it('keeps the last records while the name servers do not respond', async () => {
    const { id, key, domain } = await withDomain()
    dns.set(String(domain), elsewhere)
    await domains.check(ctx, id)
    const foundAt = now()
    world.clock.forward(minute)
    dns.set(String(domain), 'SERVFAIL')
    await domains.check(ctx, id)
    expect(await dnsOf(key)).toMatchObject({
      found: [{ type: 'CNAME', value: 'elsewhere.example' }],
      verdict: 'unknown',
      checkedAt: now(),
      foundAt,
    })
  })

  it('is no longer checked once the project is deleted', async () => {
    const { id, key } = await withDomain()
    await owner.call(deleteProject, { params: { id } })
    expect(await stored(id)).toBeUndefined()
    expect(await dnsOf(key)).toBeNull()
    await domains.check(ctx, id)
    expect(await stored(id)).toBeUndefined()
  })

  it('publishes an event only when the result changes', async () => {
    const { id, domain } = await withDomain()
    await projectEvents(id)
    await domains.check(ctx, id)
    expect(await projectEvents(id)).toHaveLength(1)
    await domains.check(ctx, id)
    expect(await projectEvents(id)).toHaveLength(0)
    dns.set(String(domain), elsewhere)
    await domains.check(ctx, id)
    expect(await projectEvents(id)).toHaveLength(1)
    dns.set(String(domain), { cname: 'other.example' })
    await domains.check(ctx, id)
    expect(await projectEvents(id)).toHaveLength(1)
  })
})

describe('a change of domain', () => {
  it('discards the records of the previous domain', async () => {
    const { id, key } = await withDomain()
    await domains.check(ctx, id)
    const domain = newDomain()
    await change(id, domain)
    expect(await dnsOf(key)).toMatchObject({ name: domain, verdict: null, checkedAt: null })
    await change(id, null)
    expect(await stored(id)).toBeUndefined()
  })

  it('during a check discards the result and checks the new domain', async () => {
    const { id, key, domain } = await withDomain()
    dns.set(String(domain), { cname: gateway })
    const release = dns.hold()
    const question = dns.nextQuestion()
    const checked = domains.check(ctx, id)
    await question
    const other = newDomain()
    await change(id, other)
    release()
    await checked
    expect(await dnsOf(key)).toMatchObject({ name: other, verdict: 'missing' })
  })

  it('to none, or the deletion of the project, during a check leaves no result', async () => {
    for (const end of [
      (id: ProjectId) => change(id, null),
      (id: ProjectId) => owner.call(deleteProject, { params: { id } }),
    ]) {
      const { id } = await withDomain()
      const release = dns.hold()
      const question = dns.nextQuestion()
      const checked = domains.check(ctx, id)
      await question
      await end(id)
      release()
      await checked
      expect(await stored(id)).toBeUndefined()
    }
  })
})

describe(title(checkProjectDomain), () => {
  it('checks now and returns the result', async () => {
    const { id, domain } = await withDomain()
    dns.set(String(domain), elsewhere)
    expect(await checkNow(id)).toMatchObject({
      name: domain,
      verdict: 'different',
      checkedAt: now(),
    })
    dns.set(String(domain), { cname: gateway })
    expect(await checkNow(id)).toMatchObject({ verdict: 'correct' })
  })

  it('checks the domain of an older project without a check', async () => {
    const { id } = await world.project({ teamId: owner.teamId, domain: newDomain() })
    expect(await checkNow(id)).toMatchObject({ verdict: 'missing' })
  })

  it('waits for a running check and checks again', async () => {
    const { id, domain } = await withDomain()
    const release = dns.hold()
    const question = dns.nextQuestion()
    const runningCheck = domains.check(ctx, id)
    await question
    const requests = [checkNow(id), checkNow(id)]
    dns.set(String(domain), elsewhere)
    release()
    const responses = await Promise.all(requests)
    await runningCheck
    expect(responses.map(({ verdict }) => verdict)).toEqual(['different', 'different'])
    const questions = dns.questions.filter((each) => each === `CNAME ${domain}`)
    expect(questions).toHaveLength(3)
  })

  it('is rejected without a domain and for a deleted project', async () => {
    const { id } = await withDomain(null)
    expect(await errorCodeOf(checkNow(id))).toBe('item_not_found')
    await owner.call(deleteProject, { params: { id } })
    expect(await errorCodeOf(checkNow(id))).toBe('cannot_update_deleted_project')
  })

  it('is rejected above the limit until the window has passed', async () => {
    const { id } = await withDomain()
    for (let count = 0; count < limits.domainChecksPerUser; count++) await checkNow(id)
    expect(await errorCodeOf(checkNow(id))).toBe('too_many_requests')
    world.clock.forward(limits.attemptWindow)
    expect(await checkNow(id)).toMatchObject({ verdict: 'missing' })
  })
})

describe('scheduled checks', () => {
  it('run often while the domain is not correct, and rarely when it is', () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map(
      (misses) => nextCheckAt(misses, ctx.clock.now()).getTime() - ctx.clock.now().getTime(),
    )
    const often = [minute, 2 * minute, 5 * minute, 10 * minute]
    expect(delays).toEqual([6 * hour, ...often, hour, hour])
  })

  it('become rarer with each miss, and frequent again after a requested check', async () => {
    const { id } = await withDomain()
    const misses = async () => (await stored(id))?.misses
    await domains.check(ctx, id)
    await domains.check(ctx, id)
    expect(await misses()).toBe(2)
    await checkNow(id)
    expect(await misses()).toBe(1)
  })

  it('run once when two processes check at once', async () => {
    const { id, domain } = await withDomain()
    const other = await world.anotherApp()
    const release = dns.hold()
    const question = dns.nextQuestion()
    const first = domains.check(ctx, id)
    await question
    await domains.check(other.ctx, id)
    release()
    await first
    expect(dns.questions.filter((each) => each === `CNAME ${domain}`)).toHaveLength(1)
  })

  it('keep the newest time when one server’s clock is an hour behind', async () => {
    const { id, key } = await withDomain()
    await domains.check(ctx, id)
    const checkedAt = now()
    world.clock.forward(-hour)
    await domains.check(ctx, id)
    expect(await dnsOf(key)).toMatchObject({ checkedAt })
    const check = await stored(id)
    expect(check?.nextCheckAt).toEqual(nextCheckAt(2, ctx.clock.now()))
    world.clock.forward(hour)
  })

  it('run when a domain is set, and again when they are due', async () => {
    await world.work()
    const { key, domain } = await withDomain()
    await until(async () => (await dnsOf(key))?.verdict === 'missing')
    dns.set(String(domain), { cname: gateway })
    await domains.sweep(ctx)
    expect(await dnsOf(key)).toMatchObject({ verdict: 'missing' })
    world.clock.forward(minute)
    await domains.sweep(ctx)
    await until(async () => (await dnsOf(key))?.verdict === 'correct')
    const errors = world.logged.filter((line) => /"level":(50|60)/.test(line))
    expect(errors.filter((line) => line.includes(domains.checkJob))).toEqual([])
  })
})
