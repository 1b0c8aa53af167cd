import { listProjectActivity } from '@slipway/contract/activity'
import type { ProjectDomain } from '@slipway/contract/domains'
import {
  checkDomains,
  createDomain,
  deleteDomain,
  listDomains,
  updateDomain,
} from '@slipway/contract/domains'
import type { RequestOf } from '@slipway/contract/endpoint'
import { day, hour, minute, second } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  deleteProject,
  listProjects,
  type ProjectId,
  viewProject,
} from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { createDnsServer, type DnsServer } from '../../../testing/dns-server.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { certificates } from '../../certificates/certificates.schema.ts'
import { domains, releasedDomains } from '../../domains/domains.schema.ts'
import { checkDomainJobName, checkReleased, listServed } from '../../domains/domains.service.ts'
import { findClient } from '../clients/clients.service.ts'
import { check } from './project-domains.checks.ts'

const gateway = 'gateway-eu.localhost'
const gatewayRecords = { cname: gateway }
const elsewhere = { a: ['198.51.100.7'] }

let world: World
let ctx: Context
let dns: DnsServer
let owner: TestUser
let stranger: TestUser

beforeAll(async () => {
  // Nothing listens there, so the check whether the gateway responds ends at once.
  dns = await createDnsServer({ [gateway]: { a: ['127.0.0.1'] } })
  world = await createWorld({
    DNS_SERVERS: [dns.address],
    DOMAIN_PROOF: 'dns',
    PROJECT_LIMIT: 100,
  })
  ctx = world.ctx
  owner = await world.user()
  stranger = await world.user()
})
afterAll(async () => {
  await world.close()
  await dns.close()
})
// The rate limit starts again for each test.
beforeEach(() => world.clock.forward(serviceLimits.attemptWindow))

let count = 0
const newHost = () => `www.shop-${++count}.example`

const newProject = (user = owner, domain: string | null = null) =>
  user.call(createProject, {
    body: { name: 'Example site', teamId: user.teamId, regionId: 'eu', domain },
  })

const add = (
  id: ProjectId,
  domain: string,
  overrides: Partial<RequestOf<typeof createDomain>['body']> = {},
  user = owner,
) => user.call(createDomain, { params: { id }, body: { domain, ...overrides } })

const list = (id: ProjectId, user = owner) => user.call(listDomains, { params: { id } })

async function addAndCheck(id: ProjectId, host: string, user = owner) {
  const added = await add(id, host, {}, user)
  await check(ctx, added.id)
  return current(id, host, user)
}

async function current(id: ProjectId, host: string, user = owner): Promise<ProjectDomain> {
  const domain = (await list(id, user)).find((each) => each.host === host)
  if (!domain) throw new Error(`${host} is not listed`)
  return domain
}

const recordOf = (domain: ProjectDomain) => domain.steps.find(({ id }) => id === 'record')

describe(title(createDomain), () => {
  it('shows the record to enter before the first check', async () => {
    const { id } = await newProject()
    const host = newHost()
    expect(recordOf(await add(id, host))).toMatchObject({
      state: 'waiting',
      expected: [{ type: 'CNAME', name: host, value: gateway }],
    })
  })

  it('shows no CNAME before the first check of a registered domain, which cannot have one', async () => {
    const { id } = await newProject()
    const host = `shop-${++count}.example`
    expect(recordOf(await add(id, host))).toMatchObject({ state: 'waiting', expected: [] })
  })

  it('stores a domain in ASCII and shows it in Unicode', async () => {
    const { id } = await newProject()
    expect(await add(id, ` Şirket-${++count}.Example. `)).toMatchObject({
      host: expect.stringMatching(/^xn--.*\.example$/),
      displayHost: `şirket-${count}.example`,
    })
  })

  it.each([
    ['the service’s own', 'gateway-eu.localhost', 'form_domain_reserved'],
    ['a public suffix', 'co.uk', 'form_domain_public'],
    ['a URL', 'https://example.com', 'form_enter_own_domain'],
    ['with a port', 'example.com:80', 'form_enter_own_domain'],
    ['a wildcard', '*.example.com', 'form_enter_own_domain'],
    ['with an empty label', 'www..example.com', 'form_enter_own_domain'],
    ['with a dot in front', '.example.com', 'form_enter_own_domain'],
    ['with a user', 'user@example.com', 'form_enter_own_domain'],
    ['a number that URLs read as an address', '2130706433', 'form_enter_own_domain'],
    ['an IP address', '192.0.2.1', 'form_enter_own_domain'],
    ['with an emoji', '💩.example', 'form_enter_own_domain'],
    ['of 254 characters', `${'a.'.repeat(122)}ab.example`, 'form_enter_own_domain'],
    ['of mixed alphabets', 'sliрway.example', 'form_domain_look_alike'],
  ])('rejects a domain: %s', async (_title, domain) => {
    const { id } = await newProject()
    expect(await errorCodeOf(add(id, domain))).toBe('validation_error')
    expect(await list(id)).toEqual([])
  })

  it('makes the first domain the primary one, and later ones aliases', async () => {
    const { id } = await newProject()
    const [first, second] = [newHost(), newHost()]
    await add(id, first)
    await add(id, second)
    expect((await list(id)).map(({ host, role }) => [host, role])).toEqual([
      [first, 'primary'],
      [second, 'alias'],
    ])
  })

  it('adds the counterpart with or without www as a redirect, on request', async () => {
    const { id } = await newProject()
    const bare = `shop-${++count}.example`
    await add(id, bare, { withCounterpart: true, redirectStatus: 301 })
    expect(await list(id)).toMatchObject([
      { host: bare, role: 'primary', redirectStatus: null },
      { host: `www.${bare}`, role: 'redirect', redirectStatus: 301 },
    ])
  })

  it('rejects a domain that another project of the same team has', async () => {
    const [first, second] = [await newProject(), await newProject()]
    const host = newHost()
    await add(first.id, host)
    expect(await errorCodeOf(add(second.id, host))).toBe('domain_in_use')
  })

  it('rejects the fifty-first domain of a project', async () => {
    const { id } = await newProject()
    const first = await add(id, newHost())
    const row = await ctx.db.select().from(domains).where(eq(domains.id, first.id))
    const copies = Array.from({ length: serviceLimits.domainsPerProject - 1 }, (_, index) => ({
      ...row[0],
      id: crypto.randomUUID(),
      role: 'alias',
      host: `copy-${index}.${first.host}`,
    }))
    await ctx.db.insert(domains).values(copies as never)
    expect(await errorCodeOf(add(id, newHost()))).toBe('domain_limit_reached')
  })
})

describe(title(listDomains), () => {
  it.each([
    ['with www', 'www.'],
    ['without', ''],
  ])(
    'lists a domain %s before its counterpart, which is added at the same time',
    async (_, www) => {
      const { id } = await newProject(owner, newHost())
      const bare = `shop-${++count}.example`
      const counterpart = www === '' ? `www.${bare}` : bare
      await add(id, www + bare, { withCounterpart: true })
      expect((await list(id)).slice(1).map(({ host }) => host)).toEqual([www + bare, counterpart])
    },
  )
})

describe(title(updateDomain), () => {
  it('swaps the roles when another domain becomes the primary one', async () => {
    const { id, key } = await newProject()
    const [first, second] = [newHost(), newHost()]
    await add(id, first)
    const { id: domainId } = await add(id, second)
    await owner.call(updateDomain, { params: { id, domainId }, body: { role: 'primary' } })
    expect((await list(id)).map(({ host, role }) => [host, role])).toEqual([
      [second, 'primary'],
      [first, 'alias'],
    ])
    expect((await owner.call(viewProject, { params: { key } })).domain).toBe(second)
  })

  it('keeps the role and the running site when only HSTS changes', async () => {
    const domain = newHost()
    const { id, key } = await world.project({ teamId: owner.teamId, domain })
    const { id: domainId } = await current(id, domain)
    const change = { params: { id, domainId }, body: { hsts: true } }
    expect(await owner.call(updateDomain, change)).toMatchObject({ role: 'primary', hsts: true })
    expect(await owner.call(viewProject, { params: { key } })).toMatchObject({ state: 'ready' })
  })

  it('stores when HSTS was turned off, until it is on again', async () => {
    const host = newHost()
    const { id } = await world.project({ teamId: owner.teamId, domain: host })
    const { id: domainId } = await current(id, host)
    const endOf = async () => (await listServed(world.ctx.db, id))[0]?.hstsEndedAt
    const turn = async (hsts: boolean) => {
      await owner.call(updateDomain, { params: { id, domainId }, body: { hsts } })
      return endOf()
    }
    expect(await turn(false)).toBeNull()
    expect(await turn(true)).toBeNull()
    const now = world.clock.now()
    expect(await turn(false)).toEqual(now)
    world.clock.forward(minute)
    expect(await turn(false)).toEqual(now)
    expect(await turn(true)).toBeNull()
  })

  it('rejects a redirect without another domain as its target', async () => {
    const { id } = await newProject()
    expect(await errorCodeOf(add(id, newHost(), { role: 'redirect' }))).toBe('validation_error')
    const { id: domainId } = await add(id, newHost())
    const change = { params: { id, domainId }, body: { role: 'redirect' as const } }
    expect(await errorCodeOf(owner.call(updateDomain, change))).toBe('validation_error')
  })
})

describe(title(deleteDomain), () => {
  it('removes the domain, and a project without domains has its default URL', async () => {
    const { id, key } = await newProject()
    const [first, second] = [await add(id, newHost()), await add(id, newHost())]
    const remove = (domainId: ProjectDomain['id']) =>
      owner.call(deleteDomain, { params: { id, domainId } })
    await remove(second.id)
    expect((await list(id)).map(({ host }) => host)).toEqual([first.host])
    await remove(first.id)
    expect(await list(id)).toEqual([])
    expect(await owner.call(viewProject, { params: { key } })).toMatchObject({ domain: null })
    expect(await errorCodeOf(remove(first.id))).toBe('domain_not_found')
  })

  it('returns domain_not_found for a domain of another project', async () => {
    const [one, other] = [await newProject(), await newProject()]
    const { id: domainId, host } = await add(other.id, newHost())
    const params = { id: one.id, domainId }
    expect(await errorCodeOf(owner.call(deleteDomain, { params }))).toBe('domain_not_found')
    expect((await list(other.id)).map((each) => each.host)).toEqual([host])
  })
})

describe(title(checkDomains), () => {
  it('responds with the results of all domains of the project', async () => {
    const { id } = await newProject()
    const [first, second] = [newHost(), newHost()]
    await add(id, first)
    await add(id, second)
    dns.set(first, gatewayRecords)
    expect(await owner.call(checkDomains, { params: { id } })).toMatchObject([
      { host: first, state: 'active' },
      { host: second, state: 'pending' },
    ])
  })
})

describe('a domain of a project', () => {
  it('is pending and no origin of the project’s sign-in client until it is proven', async () => {
    const { id, key } = await newProject()
    const host = newHost()
    const added = await addAndCheck(id, host)
    expect(added).toMatchObject({ state: 'pending', role: 'primary', provenAt: null })
    expect(recordOf(added)).toMatchObject({ state: 'failed', problem: 'record_missing' })
    const originsOf = async () => (await findClient(ctx, key))?.origins
    expect(await originsOf()).toHaveLength(1)
    dns.set(host, gatewayRecords)
    await check(ctx, added.id)
    expect(await current(id, host)).toMatchObject({ state: 'active' })
    expect(await originsOf()).toContain(`https://${host}`)
  })

  it('keeps its state while the name servers do not respond', async () => {
    const { id } = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(id, host)
    dns.set(host, 'SERVFAIL')
    for (let times = 0; times < 5; times++) await check(ctx, domainId)
    expect(await current(id, host)).toMatchObject({ state: 'active' })
  })
})

describe('the roles of domains', () => {
  it('are not changed by the inline edit, which replaces only the primary domain', async () => {
    const { id } = await newProject(owner, newHost())
    const alias = newHost()
    await add(id, alias)
    const replaced = newHost()
    const edit = { params: { id }, body: { domain: replaced } }
    expect(await owner.call(changeProjectDomain, edit)).toMatchObject({
      domain: replaced,
      domainState: 'pending',
    })
    expect((await list(id)).map(({ host }) => host)).toEqual([replaced, alias])
    await owner.call(changeProjectDomain, { params: { id }, body: { domain: alias } })
    expect((await list(id)).map(({ host, role }) => [host, role])).toEqual([[alias, 'primary']])
    await owner.call(changeProjectDomain, { params: { id }, body: { domain: null } })
    expect(await list(id)).toEqual([])
  })
})

describe('a domain that two teams add', () => {
  const pair = async () => [await newProject(), await newProject(stranger)] as const

  it('is blocked neither by the other team nor by the record that all projects share', async () => {
    const [mine, theirs] = await pair()
    const host = newHost()
    await add(theirs.id, host, {}, stranger)
    dns.set(host, gatewayRecords)
    const contested = await addAndCheck(mine.id, host)
    expect(contested.state).toBe('pending')
    expect(recordOf(contested)).toMatchObject({ state: 'failed', problem: 'proof_needed' })
    dns.set(contested.proof.name, { txt: [contested.proof.value] })
    await check(ctx, contested.id)
    expect(await current(mine.id, host)).toMatchObject({ state: 'active' })
  })

  it('is proven for exactly one of them when both prove it at once', async () => {
    const [mine, theirs] = await pair()
    const host = newHost()
    const ownDomain = await add(mine.id, host)
    const strangersDomain = await add(theirs.id, host, {}, stranger)
    dns.set(host, gatewayRecords)
    dns.set(ownDomain.proof.name, { txt: [ownDomain.proof.value, strangersDomain.proof.value] })
    const second = await world.anotherApp()
    await Promise.all([check(ctx, ownDomain.id), check(second.ctx, strangersDomain.id)])
    await check(ctx, ownDomain.id)
    await check(ctx, strangersDomain.id)
    const states = [
      (await current(mine.id, host)).state,
      (await current(theirs.id, host, stranger)).state,
    ]
    expect(states.sort()).toEqual(['active', 'pending'])
  })

  it('stays with the first that proved it while its record of proof exists', async () => {
    const [mine, theirs] = await pair()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const proven = await addAndCheck(mine.id, host)
    dns.set(proven.proof.name, { txt: [proven.proof.value] })
    const claimed = await addAndCheck(theirs.id, host, stranger)
    expect(recordOf(claimed)).toMatchObject({ state: 'failed', problem: 'held_by_another' })
    dns.set(proven.proof.name, { txt: [proven.proof.value, claimed.proof.value] })
    await check(ctx, claimed.id)
    expect(await current(theirs.id, host, stranger)).toMatchObject({ state: 'pending' })
    expect(await current(mine.id, host)).toMatchObject({ state: 'active' })
  })

  it('passes to the second when only the second has a record of proof', async () => {
    const [mine, theirs] = await pair()
    const host = newHost()
    dns.set(host, gatewayRecords)
    await addAndCheck(mine.id, host)
    const claimed = await add(theirs.id, host, {}, stranger)
    dns.set(claimed.proof.name, { txt: [claimed.proof.value] })
    await check(ctx, claimed.id)
    expect(await current(theirs.id, host, stranger)).toMatchObject({ state: 'active' })
    expect(await current(mine.id, host)).toMatchObject({ state: 'pending', provenAt: null })
    // The certificate passes to the other project, too.
    const ofHost = and(eq(certificates.host, host), isNull(certificates.droppedAt))
    expect(await ctx.db.select().from(certificates).where(ofHost)).toMatchObject([
      { projectId: theirs.id },
    ])
  })

  it('needs its own record below a domain that another team has', async () => {
    const [mine, theirs] = await pair()
    const zone = `zone-${++count}.example`
    dns.set(zone, { a: ['127.0.0.1'] })
    await addAndCheck(mine.id, zone)
    const below = `any.${zone}`
    dns.set(below, gatewayRecords)
    const claimed = await addAndCheck(theirs.id, below, stranger)
    expect(claimed.state).toBe('pending')
    expect(recordOf(claimed)).toMatchObject({ problem: 'proof_needed' })
    expect(await addAndCheck((await newProject()).id, `other.${zone}`)).toMatchObject({
      state: 'pending',
    })
    dns.set(claimed.proof.name, { txt: [claimed.proof.value] })
    await check(ctx, claimed.id)
    expect(await current(theirs.id, below, stranger)).toMatchObject({ state: 'active' })
  })

  it('needs its own record below a wildcard, unless its team has the domain above it', async () => {
    const [mine, theirs] = await pair()
    const zone = `zone-${++count}.example`
    dns.set(zone, { a: ['127.0.0.1'] })
    dns.set(`*.${zone}`, gatewayRecords)
    const claimed = await addAndCheck(theirs.id, `login.${zone}`, stranger)
    expect(claimed.state).toBe('pending')
    expect(recordOf(claimed)).toMatchObject({ problem: 'proof_needed' })
    dns.set(claimed.proof.name, { txt: [claimed.proof.value] })
    await check(ctx, claimed.id)
    expect(await current(theirs.id, claimed.host, stranger)).toMatchObject({ state: 'active' })
    expect(await addAndCheck(mine.id, `shop.${zone}`)).toMatchObject({ state: 'pending' })
    expect(await addAndCheck(mine.id, zone)).toMatchObject({ state: 'active' })
    expect(await addAndCheck(mine.id, `blog.${zone}`)).toMatchObject({ state: 'active' })
  })
})

describe('a released domain', () => {
  it.each([
    [
      'its removal',
      async (id: ProjectId, domainId: ProjectDomain['id']) => {
        await owner.call(deleteDomain, { params: { id, domainId } })
      },
    ],
    [
      'the deletion of its project',
      async (id: ProjectId) => {
        await owner.call(deleteProject, { params: { id } })
      },
    ],
  ])('needs a record of proof from another team after %s', async (_how, release) => {
    const mine = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    await release(mine.id, (await addAndCheck(mine.id, host)).id)
    // The domain still points to this server.
    const theirs = await newProject(stranger)
    const claimed = await addAndCheck(theirs.id, host, stranger)
    expect(recordOf(claimed)).toMatchObject({ state: 'failed', problem: 'proof_needed' })
    expect(claimed.state).toBe('pending')
    dns.set(claimed.proof.name, { txt: [claimed.proof.value] })
    await check(ctx, claimed.id)
    expect(await current(theirs.id, host, stranger)).toMatchObject({ state: 'active' })
  })

  it('returns to the same team by the record that all projects share', async () => {
    const first = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(first.id, host)
    await owner.call(deleteDomain, { params: { id: first.id, domainId } })
    const second = await newProject()
    expect(await addAndCheck(second.id, host)).toMatchObject({ state: 'active' })
  })

  it('is free for any team once it has pointed elsewhere for a week without a break', async () => {
    const { id } = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(id, host)
    await owner.call(deleteDomain, { params: { id, domainId } })
    const isStoredAfter = async (record: Parameters<typeof dns.set>[1], time: number) => {
      dns.set(host, record)
      world.clock.forward(time)
      await checkReleased(ctx)
      const rows = await ctx.db.select().from(releasedDomains).where(eq(releasedDomains.host, host))
      return rows.length > 0
    }
    expect(await isStoredAfter(elsewhere, 2 * hour)).toBe(true)
    expect(await isStoredAfter(elsewhere, 5 * day)).toBe(true)
    expect(await isStoredAfter(gatewayRecords, day)).toBe(true)
    expect(await isStoredAfter(elsewhere, 5 * day)).toBe(true)
    expect(await isStoredAfter('SERVFAIL', 8 * day)).toBe(true)
    expect(await isStoredAfter(elsewhere, hour)).toBe(false)
  })

  const releasedRow = async (host: string) =>
    (await ctx.db.select().from(releasedDomains).where(eq(releasedDomains.host, host)))[0]

  /** A proven name that its project has removed. */
  async function releasedHost() {
    const { id } = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(id, host)
    await owner.call(deleteDomain, { params: { id, domainId } })
    return host
  }

  it('is checked less often while no name server responds, and free after 90 days', async () => {
    const host = await releasedHost()
    /** The hours until the next check. */
    const checkAfter = async (record: Parameters<typeof dns.set>[1], time: number) => {
      dns.set(host, record)
      world.clock.forward(time)
      await checkReleased(ctx)
      const row = await releasedRow(host)
      return row && (row.nextCheckAt.getTime() - world.clock.now().getTime()) / hour
    }
    const intervals: unknown[] = []
    for (const hours of [1, 1, 1, 2, 4, 8, 16, 24])
      intervals.push(await checkAfter('SERVFAIL', hours * hour))
    expect(intervals).toEqual([1, 1, 2, 4, 8, 16, 24, 24])
    /** Instead of the clock, which would end the sessions of this world. */
    const silentFor = (time: number) =>
      ctx.db
        .update(releasedDomains)
        .set({ silentSince: new Date(world.clock.now().getTime() - time) })
        .where(eq(releasedDomains.host, host))
    await silentFor(90 * day)
    expect(await checkAfter(gatewayRecords, day)).toBe(1)
    expect(await checkAfter('SERVFAIL', hour)).toBe(1)
    await silentFor(89 * day)
    expect(await checkAfter('SERVFAIL', hour)).toBe(24)
    await silentFor(90 * day)
    expect(await checkAfter('SERVFAIL', day)).toBeUndefined()
  })

  it('is not checked later because the name servers of others do not respond', async () => {
    const hosts = [await releasedHost(), await releasedHost(), await releasedHost()]
    const before = await Promise.all(hosts.map(releasedRow))
    dns.questions.length = 0
    const resume = dns.pause()
    const checked = checkReleased(ctx)
    const isAsked = (host: string) => dns.questions.some((each) => each.endsWith(` ${host}`))
    await until(() => hosts.every(isAsked))
    // No check has ended before the last one began.
    expect(await Promise.all(hosts.map(releasedRow))).toEqual(before)
    resume()
    await checked
  })

  it.each(['the same project', 'another team'])(
    'makes browsers delete HSTS when %s adds it next',
    async (next) => {
      const mine = await newProject()
      const host = newHost()
      dns.set(host, gatewayRecords)
      const { id: domainId } = await addAndCheck(mine.id, host)
      const params = { id: mine.id, domainId }
      await owner.call(updateDomain, { params, body: { hsts: true } })
      world.clock.forward(minute)
      const removedAt = world.clock.now()
      await owner.call(deleteDomain, { params })
      const user = next === 'another team' ? stranger : owner
      const { id } = user === owner ? mine : await newProject(stranger)
      const claimed = await add(id, host, {}, user)
      dns.set(claimed.proof.name, { txt: [claimed.proof.value] })
      world.clock.forward(minute)
      await check(ctx, claimed.id)
      expect(await listServed(ctx.db, id)).toMatchObject([
        { host, hsts: false, hstsEndedAt: removedAt },
      ])
    },
  )

  it('is free for any team at once if it was never proven', async () => {
    const mine = await newProject()
    const host = newHost()
    const { id: domainId } = await addAndCheck(mine.id, host)
    await owner.call(deleteDomain, { params: { id: mine.id, domainId } })
    dns.set(host, gatewayRecords)
    const theirs = await newProject(stranger)
    expect(await addAndCheck(theirs.id, host, stranger)).toMatchObject({ state: 'active' })
  })
})

describe('a domain that worked', () => {
  it('fails after three misses, works again, and its team gets an email each time', async () => {
    const user = await world.user()
    const { id } = await newProject(user)
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(id, host, user)
    const subjects = async () =>
      (await world.mailsTo(user.email))
        .map(({ subject }) => subject)
        .filter((text) => text.includes(host))
    dns.set(host, elsewhere)
    await check(ctx, domainId)
    await check(ctx, domainId)
    expect(await current(id, host, user)).toMatchObject({ state: 'active' })
    expect(await subjects()).toEqual([])
    await check(ctx, domainId)
    await check(ctx, domainId)
    expect(await current(id, host, user)).toMatchObject({ state: 'failed' })
    expect(await subjects()).toEqual([`${host} no longer points to your site`])
    const [mail] = await world.mailsTo(user.email)
    expect(mail?.text).toContain('Its DNS record has changed.')
    expect(mail?.text).toContain(`Record found: A 198.51.100.7\nRecord needed: CNAME ${gateway}\n`)
    dns.set(host, gatewayRecords)
    await check(ctx, domainId)
    expect(await current(id, host, user)).toMatchObject({ state: 'active' })
    expect((await subjects()).toSorted()).toEqual([
      `${host} no longer points to your site`,
      `${host} points to your site again`,
    ])
    const { items } = await user.call(listProjectActivity, { params: { id }, query: {} })
    const changes = items.filter(({ actor }) => actor.kind === 'service').reverse()
    expect(changes.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['domain_proven', host],
      ['domain_failed', host],
      ['domain_recovered', host],
    ])
  })

  it('fails after three misses, one of which a user’s check found', async () => {
    const { id } = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(id, host)
    dns.set(host, elsewhere)
    await check(ctx, domainId)
    await check(ctx, domainId)
    await owner.call(checkDomains, { params: { id } })
    expect(await current(id, host)).toMatchObject({ state: 'failed' })
  })
})

describe('a domain whose record changes all the time', () => {
  it('stays served with its certificate, and is reported once a day', async () => {
    const user = await world.user()
    const { id } = await newProject(user)
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await addAndCheck(id, host, user)
    const emails = async () =>
      (await world.mailsTo(user.email)).filter(({ subject }) => subject.includes(host)).length
    const checkWith = async (record: Parameters<typeof dns.set>[1]) => {
      dns.set(host, record)
      await check(ctx, domainId)
      expect((await listServed(ctx.db, id)).map((each) => each.host)).toEqual([host])
    }
    for (let times = 0; times < 4; times++) {
      for (const record of [elsewhere, elsewhere, elsewhere, gatewayRecords])
        await checkWith(record)
      expect(await emails()).toBe(2)
    }
    const ofHost = eq(certificates.host, host)
    expect(await ctx.db.select().from(certificates).where(ofHost)).toMatchObject([
      { droppedAt: null },
    ])
    // A failure that lasts is reported, too, once a day has passed.
    for (let times = 0; times < 3; times++) await checkWith(elsewhere)
    expect(await emails()).toBe(2)
    world.clock.forward(day)
    await checkWith(elsewhere)
    expect(await emails()).toBe(3)
  })
})

describe('checks', () => {
  const dueIn = async (id: ProjectId, host: string) =>
    Date.parse((await current(id, host)).nextCheckAt ?? '') - ctx.clock.now().getTime()

  it('are seconds apart while a user waits, and rare later', async () => {
    const { id } = await newProject()
    const host = newHost()
    const { id: domainId } = await addAndCheck(id, host)
    expect(await dueIn(id, host)).toBeLessThanOrEqual(10 * second)
    world.clock.forward(hour)
    for (let times = 0; times < 6; times++) await check(ctx, domainId)
    expect(await dueIn(id, host)).toBeGreaterThanOrEqual(10 * minute)
    await owner.call(checkDomains, { params: { id } })
    expect(await dueIn(id, host)).toBeLessThanOrEqual(10 * second)
  })

  it('are limited for each user', async () => {
    const { id } = await newProject()
    const request = () => owner.call(checkDomains, { params: { id } })
    for (let times = 0; times < serviceLimits.domainChecksPerUser; times++) await request()
    expect(await errorCodeOf(request())).toBe('too_many_requests')
  })

  it('of a domain run once when two processes check at once', async () => {
    const { id } = await newProject()
    const { id: domainId, host } = await add(id, newHost())
    const otherApp = await world.anotherApp()
    const release = dns.pause()
    const question = dns.nextQuestion()
    const first = check(ctx, domainId)
    await question
    await check(otherApp.ctx, domainId)
    // The second one has stored nothing.
    expect(recordOf(await current(id, host))).toMatchObject({ state: 'waiting', checkedAt: null })
    release()
    await first
    expect(recordOf(await current(id, host))).toMatchObject({ problem: 'record_missing' })
  })

  it('do nothing for a domain that is removed during its check', async () => {
    const { id } = await newProject()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id: domainId } = await add(id, host)
    const release = dns.pause()
    const question = dns.nextQuestion()
    const running = check(ctx, domainId)
    await question
    await owner.call(deleteDomain, { params: { id, domainId } })
    release()
    await running
    expect(await list(id)).toEqual([])
  })

  it('start when a domain is added, and the project shows the result', async () => {
    // The checks of one team run one after the other, and those of earlier tests are first.
    await ctx.db.execute(sql`delete from pgboss.job`)
    await world.startWorkers()
    const host = newHost()
    dns.set(host, gatewayRecords)
    const { id } = await newProject(owner, host)
    const listed = async () => (await owner.call(listProjects)).find((each) => each.id === id)
    await until(async () => (await listed())?.domainState === 'active')
    expect(await listed()).toMatchObject({ domain: host, secure: false })
    const errors = world.logged.filter((line) => /"level":(50|60)/.test(line))
    expect(errors.filter((line) => line.includes(checkDomainJobName))).toEqual([])
  })

  it('of a team whose name servers hang do not delay those of others', async () => {
    await world.startWorkers()
    const mine = await newProject()
    const hosts = Array.from({ length: 16 }, newHost)
    for (const host of hosts) {
      dns.set(host, 'silence')
      await add(mine.id, host)
    }
    const theirs = await newProject(stranger)
    const host = newHost()
    dns.set(host, gatewayRecords)
    await add(theirs.id, host, {}, stranger)
    await until(async () => (await current(theirs.id, host, stranger)).state === 'active')
    const unchecked = (await list(mine.id)).filter((each) => recordOf(each)?.checkedAt === null)
    // If they delayed other teams, the eight that a worker runs at once would be checked by now.
    expect(unchecked.length).toBeGreaterThan(8)
  })
})
