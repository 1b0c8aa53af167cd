import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { day, hour, minute, second } from '@slipway/contract/limits'
import { eq, isNotNull, lte } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { type AcmeWorld, createAcmeWorld } from './certificates.acme.fixture.ts'
import { firstOrders } from './certificates.policy.ts'
import { processCertificate } from './certificates.process.ts'
import { certificates } from './certificates.schema.ts'
import { requestForProject, sweep } from './certificates.service.ts'
import { type AcmeProxy, acmeProblem, hasPebble, startAcmeProxy } from './pebble.fixture.ts'

let acme: AcmeWorld
const isInstalled = await hasPebble()

/** Processes every due host, as sweeps and jobs do, until none is due at this time. */
async function processDue(hosts: readonly string[]) {
  for (;;) {
    const rows = await Promise.all(hosts.map(acme.rowOf))
    const due = rows.filter(({ dueAt }) => dueAt <= acme.clock.now())
    if (due.length === 0) return
    for (const { host } of due) await acme.process(host)
  }
}

describe.skipIf(!isInstalled)('a CA that does not respond', () => {
  beforeAll(async () => {
    acme = await createAcmeWorld()
  })
  afterAll(() => acme.close())
  afterEach(() => acme.reset())

  it('gets the same order once it responds, and no other order before', async () => {
    const [host, otherHost] = [acme.newHost(), acme.newHost()]
    acme.ca.intercept(async ({ kind }) => (kind === 'order' ? 'break' : undefined))
    expect(await acme.order(host)).toMatchObject({ state: 'failed', problem: 'unreachable' })
    acme.ca.intercept(async () => undefined)
    const before = acme.ca.count('newOrder')
    expect(await acme.order(otherHost)).toMatchObject({ state: 'pending', problem: null })
    expect(acme.ca.count('newOrder')).toBe(before)
    await acme.later(2 * minute, () => processDue([host, otherHost]))
    for (const each of [host, otherHost])
      expect(await acme.statusOf(each)).toMatchObject({ state: 'active', problem: null })
    expect(acme.ca.count('newOrder')).toBe(2)
  })

  it('gets requests at growing intervals, at least one an hour', async () => {
    const host = acme.newHost()
    acme.ca.intercept(async () => ({ status: 503, body: 'down' }))
    await acme.request(host)
    const delays: number[] = []
    let passed = 0
    for (let attempt = 0; attempt < 9; attempt++)
      await acme.later(passed, async () => {
        await acme.process(host)
        const { dueAt } = await acme.rowOf(host)
        const delay = dueAt.getTime() - acme.clock.now().getTime()
        delays.push(delay)
        passed += delay
      })
    expect(delays[0]).toBeGreaterThanOrEqual(30 * second)
    expect(delays[0]).toBeLessThan(minute)
    for (const [index, delay] of delays.slice(1, 7).entries())
      expect(delay / (delays[index] ?? 1)).toBeGreaterThan(1.3)
    expect(Math.max(...delays)).toBeLessThan(hour + minute)
  })

  it('gets no request before its Retry-After has passed', async () => {
    const host = acme.newHost()
    acme.ca.intercept(async () => ({ status: 503, headers: { 'retry-after': '7200' }, body: '' }))
    await acme.order(host)
    acme.ca.intercept(async () => undefined)
    acme.ca.requests.length = 0
    await acme.later(hour, () => processDue([host]))
    expect(acme.ca.requests).toEqual([])
    await acme.later(2 * hour + minute, () => processDue([host]))
    expect(await acme.statusOf(host)).toMatchObject({ state: 'active' })
  })

  it('does not keep an order for more than an hour', async () => {
    const host = acme.newHost()
    acme.ca.intercept(async ({ kind }) => (kind === 'order' ? 'break' : undefined))
    await acme.order(host)
    await acme.later(hour + minute, () => acme.process(host))
    expect(await acme.ordersOf(host)).toMatchObject([{ outcome: 'unreachable' }])
  })
})

describe.skipIf(!isInstalled)('a CA that limits us', () => {
  beforeAll(async () => {
    acme = await createAcmeWorld()
  })
  afterAll(() => acme.close())
  afterEach(() => acme.reset())

  const limit = (detail: string, headers?: Record<string, string>) =>
    acme.ca.intercept(async ({ kind }) =>
      kind === 'newOrder' ? acmeProblem(429, 'rateLimited', detail, headers) : undefined,
    )

  it('gets no order of any host until the time that it says', async () => {
    const [host, otherHost] = [acme.newHost(), acme.newHost()]
    const detail = 'too many new orders (300) from this account in the last 3h0m0s'
    limit(detail, { 'retry-after': '1800' })
    expect(await acme.order(host)).toMatchObject({ problem: 'rate_limited', detail })
    acme.ca.reset()
    expect(await acme.order(otherHost)).toMatchObject({ state: 'pending' })
    await acme.later(29 * minute, () => processDue([host, otherHost]))
    expect(acme.ca.count('newOrder')).toBe(0)
    await acme.later(31 * minute, () => processDue([host, otherHost]))
    expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
    expect(await acme.statusOf(otherHost)).toMatchObject({ state: 'active' })
  })

  it('gets no order for an hour if it names no time', async () => {
    const [host, otherHost] = [acme.newHost(), acme.newHost()]
    limit('too many requests')
    await acme.order(host)
    acme.ca.reset()
    await acme.order(otherHost)
    await acme.later(59 * minute, () => processDue([host, otherHost]))
    expect(acme.ca.count('newOrder')).toBe(0)
  })

  it.each([
    [
      'by its name',
      (host: string) => `too many failed authorizations (5) for "${host}" in the last 1h`,
    ],
    [
      'by its domain',
      () => 'too many certificates (50) already issued for "example.net" in the last 168h',
    ],
    [
      'by its names',
      () => 'too many certificates (5) already issued for this exact set of domains',
    ],
  ])('gets the orders of other hosts when it limits one host %s', async (_, words) => {
    const [host, otherHost] = [acme.newHost().replace('example', 'example.net'), acme.newHost()]
    limit(words(host), { 'retry-after': '36000' })
    expect(await acme.order(host)).toMatchObject({ problem: 'rate_limited', detail: words(host) })
    acme.ca.reset()
    expect(await acme.order(otherHost)).toMatchObject({ state: 'active' })
    await acme.later(9 * hour, () => acme.process(host))
    expect(acme.ca.count('newOrder')).toBe(1)
    await acme.later(10 * hour + minute, () => acme.process(host))
    expect(await acme.statusOf(host)).toMatchObject({ state: 'active' })
  })

  it('never gets more than four orders of a host in an hour', async () => {
    const host = acme.newHost()
    acme.ca.intercept(async ({ kind }) =>
      kind === 'newOrder' ? acmeProblem(400, 'rejectedIdentifier', 'No') : undefined,
    )
    for (let time = 0; time < hour; time += minute) await acme.later(time, () => acme.order(host))
    expect(acme.ca.count('newOrder')).toBe(4)
    await acme.later(hour + minute, () => acme.order(host))
    expect(acme.ca.count('newOrder')).toBe(5)
  })

  it('issues a host at most four certificates in a week, however often it is removed and added', async () => {
    const host = acme.newHost()
    for (let time = 0; time < 3 * hour; time += 20 * minute)
      await acme.later(time, async () => {
        await acme.request(host)
        const { id } = await acme.rowOf(host)
        await acme.process(host)
        await acme.drop(host)
        // The revocation has begun: the host cannot have it back.
        await acme.ctx.db
          .update(certificates)
          .set({ revokingAt: acme.clock.now() })
          .where(eq(certificates.id, id))
      })
    expect(acme.ca.count('newOrder')).toBe(4)
    await acme.later(7 * day + hour, () => acme.order(host))
    expect(acme.ca.count('newOrder')).toBe(5)
  })
})

describe.skipIf(!isInstalled)('many hosts at once', () => {
  beforeAll(async () => {
    acme = await createAcmeWorld()
  })
  afterAll(() => acme.close())
  afterEach(() => acme.reset())

  it('50 get their certificates, with at most eight orders at a time', async () => {
    await acme.startWorkers()
    const hosts = Array.from({ length: 50 }, acme.newHost)
    let open = 0
    let most = 0
    acme.ca.rewrite(({ kind }, body) => {
      if (kind === 'newOrder' && 'identifiers' in Object(body)) most = Math.max(most, ++open)
      if (kind === 'certificate' && typeof body === 'string') open--
      return body
    })
    await Promise.all(hosts.map((host) => acme.request(host)))
    await until(async () => {
      await sweep(acme.ctx)
      return (await acme.ctx.db.$count(certificates, isNotNull(certificates.sealed))) === 50
    })
    for (const host of hosts) expect(await acme.statusOf(host)).toMatchObject({ state: 'active' })
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(8)
    expect(acme.ca.count('newOrder')).toBe(50)
  }, 120_000)
})

describe.skipIf(!isInstalled)('more hosts than the CA allows in its window', () => {
  const orderLimit = 7
  beforeAll(async () => {
    acme = await createAcmeWorld({ ACME_ORDER_LIMIT: orderLimit })
  })
  afterAll(() => acme.close())

  it('get their certificates in turns, and two workers never exceed the limit', async () => {
    const { ctx } = await acme.anotherApp({ ACME_ORDER_LIMIT: orderLimit })
    const hosts = Array.from({ length: 20 }, acme.newHost)
    for (const host of hosts) await acme.request(host)
    const times: number[] = []
    // Counts responses: Pebble rejects some requests for their nonce, and they are repeated.
    acme.ca.rewrite(({ kind }, body) => {
      if (kind === 'newOrder' && 'identifiers' in Object(body))
        times.push(acme.clock.now().getTime())
      return body
    })
    for (let time = 0; time < 10 * hour; time += 10 * minute)
      await acme.later(time, async () => {
        const rows = await Promise.all(hosts.map(acme.rowOf))
        const due = rows.filter(({ dueAt }) => dueAt <= acme.clock.now())
        const half = Math.ceil(due.length / 2)
        const work = async (part: typeof due, workerCtx: typeof ctx) => {
          for (const { host } of part) await acme.process(host, workerCtx)
        }
        await Promise.all([work(due.slice(0, half), acme.ctx), work(due.slice(half), ctx)])
      })
    for (const host of hosts) expect(await acme.statusOf(host)).toMatchObject({ state: 'active' })
    const busiest = times.map((start) =>
      times.filter((time) => time >= start && time < start + 3 * hour),
    )
    expect(times).toHaveLength(20)
    expect(Math.max(...busiest.map((each) => each.length))).toBe(firstOrders(orderLimit))
  })
})

describe.skipIf(!isInstalled)('300 hosts at once', () => {
  const orderLimit = 12
  beforeAll(async () => {
    acme = await createAcmeWorld({ ACME_ORDER_LIMIT: orderLimit })
  })
  afterAll(() => acme.close())

  it('never get more orders than the CA allows, from two workers, window after window', async () => {
    const { ctx, clock, ca } = acme
    const otherApp = await acme.anotherApp({ ACME_ORDER_LIMIT: orderLimit })
    const hosts = Array.from({ length: 300 }, acme.newHost)
    // The CA rejects one order more, and says how many are open.
    let [inWindow, open, rejected, maxOpen] = [0, 0, 0, 0]
    ca.intercept(async ({ kind }) => {
      if (kind !== 'newOrder' || inWindow < orderLimit) return undefined
      rejected++
      return acmeProblem(429, 'rateLimited', 'too many new orders')
    })
    ca.rewrite(({ kind }, body) => {
      if (kind === 'newOrder' && 'identifiers' in Object(body)) {
        inWindow++
        maxOpen = Math.max(maxOpen, ++open)
      }
      if (kind === 'certificate' && typeof body === 'string') open--
      return body
    })
    await ctx.write(async (tx) => {
      for (const host of hosts)
        await requestForProject(ctx, tx, { host, projectId: acme.project.id })
    })
    const dueRows = () =>
      ctx.db
        .select({ id: certificates.id })
        .from(certificates)
        .where(lte(certificates.dueAt, clock.now()))
    for (let window = 0; window < 2; window++) {
      for (let due = await dueRows(); due.length > 0; due = await dueRows()) {
        const next = due.values()
        const work = async (workerCtx: typeof ctx) => {
          for (const { id } of next) await processCertificate(workerCtx, id)
        }
        // Each worker has several jobs at once.
        await Promise.all([ctx, otherApp.ctx, ctx, otherApp.ctx, ctx, otherApp.ctx].map(work))
      }
      expect(inWindow).toBe(firstOrders(orderLimit))
      inWindow = 0
      clock.forward(3 * hour + 2 * minute)
    }
    expect(rejected).toBe(0)
    expect(maxOpen).toBeLessThanOrEqual(8)
    const issued = await ctx.db.$count(certificates, isNotNull(certificates.sealed))
    expect(issued).toBe(2 * firstOrders(orderLimit))
  }, 120_000)
})

describe.skipIf(!isInstalled)('a CA that accepts connections and is silent', () => {
  beforeAll(async () => {
    acme = await createAcmeWorld({ ACME_TIMEOUT: 0.2 })
  })
  afterAll(() => acme.close())
  afterEach(() => acme.reset())

  it.each(['dir', 'newOrder', 'challenge', 'finalize', 'certificate'])(
    'a CA that is silent at the request of %s gives the certificate once it responds',
    async (silentKind) => {
      const host = acme.newHost()
      acme.ca.intercept(({ kind }) =>
        kind === silentKind ? new Promise<never>(() => undefined) : Promise.resolve(undefined),
      )
      expect(await acme.order(host)).toMatchObject({
        state: 'failed',
        problem: 'unreachable',
        detail: 'The certificate authority: no response within 0.2 seconds',
      })
      acme.ca.reset()
      const patient = await acme.anotherApp({ ACME_TIMEOUT: 30 })
      await acme.later(2 * minute, () => acme.process(host, patient.ctx))
      expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
    },
  )

  it('a CA that is silent from the first byte of TLS is unreachable', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const sockets: Socket[] = []
    silent.on('connection', (socket) => sockets.push(socket))
    const { port } = silent.address() as AddressInfo
    const directory = `https://127.0.0.1:${port}/dir`
    const { ctx } = await acme.anotherApp({ ACME_DIRECTORY: directory, ACME_TIMEOUT: 0.2 })
    const host = acme.newHost()
    await acme.request(host)
    await acme.process(host, ctx)
    expect(await acme.statusOf(host)).toMatchObject({ problem: 'unreachable' })
    expect(sockets).not.toEqual([])
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe.skipIf(!isInstalled)('the fallback CA', () => {
  let fallback: AcmeProxy
  beforeAll(async () => {
    acme = await createAcmeWorld()
    fallback = await startAcmeProxy(acme.pebble)
    acme.ctx.env.ACME_FALLBACK_DIRECTORY = fallback.directory
  })
  afterAll(async () => {
    await fallback.close()
    await acme.close()
  })
  afterEach(async () => {
    fallback.reset()
    await acme.reset()
  })
  const refuse = (ca: AcmeProxy) =>
    ca.intercept(async ({ kind }) =>
      kind === 'newOrder' ? acmeProblem(403, 'rejectedIdentifier', 'Not here') : undefined,
    )

  it('is used at once after the first one rejected the order, and the next renewal begins with the first', async () => {
    const host = acme.newHost()
    refuse(acme.ca)
    await acme.order(host)
    await acme.process(host)
    expect(await acme.statusOf(host)).toMatchObject({ state: 'active', problem: null })
    expect((await acme.rowOf(host)).directory).toBe(fallback.directory)
    acme.ca.intercept(async () => undefined)
    await acme.later(61 * day, () => acme.process(host))
    expect((await acme.rowOf(host)).directory).toBe(acme.ca.directory)
  })

  it('is used while the first one does not respond', async () => {
    const [host, otherHost] = [acme.newHost(), acme.newHost()]
    acme.ca.intercept(async () => 'break')
    await acme.order(host)
    await acme.process(host)
    await acme.order(otherHost)
    for (const each of [host, otherHost])
      expect((await acme.rowOf(each)).directory).toBe(fallback.directory)
    // The first CA got an order of one host only.
    expect(acme.ca.count('dir')).toBe(1)
  })

  it('is not used while the first one may have issued the certificate', async () => {
    const host = acme.newHost()
    acme.ca.intercept(async ({ kind }) =>
      kind === 'order' && acme.ca.count('finalize') > 0 ? 'break' : undefined,
    )
    await acme.order(host)
    await acme.later(2 * minute, async () => {
      await acme.process(host)
      acme.ca.intercept(async () => undefined)
    })
    await acme.later(10 * minute, () => acme.process(host))
    expect((await acme.rowOf(host)).directory).toBe(acme.ca.directory)
    expect(fallback.count('newOrder')).toBe(0)
    expect(acme.ca.count('finalize')).toBe(1)
  })

  it('is not used for a host that does not respond', async () => {
    const host = acme.newHost()
    acme.setChallengeResponse(async () => null)
    await acme.order(host)
    await acme.process(host)
    expect(await acme.statusOf(host)).toMatchObject({ problem: 'refused' })
    expect(fallback.requests).toEqual([])
  })

  it('pauses after it rejected the order, too', async () => {
    const host = acme.newHost()
    refuse(acme.ca)
    refuse(fallback)
    await acme.order(host)
    await acme.process(host)
    await acme.process(host)
    expect([acme.ca.count('newOrder'), fallback.count('newOrder')]).toEqual([1, 1])
    const { dueAt, useFallback } = await acme.rowOf(host)
    expect(dueAt.getTime() - acme.clock.now().getTime()).toBeGreaterThanOrEqual(5 * minute)
    expect(useFallback).toBe(false)
  })
})

describe.skipIf(!isInstalled)('a CA that needs an external account', () => {
  const key = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'
  beforeAll(async () => {
    acme = await createAcmeWorld(
      { ACME_EAB_KEY_ID: 'kid-1', ACME_EAB_KEY: key },
      {
        pebble: {
          externalAccountBindingRequired: true,
          externalAccountMACKeys: { 'kid-1': key },
        },
      },
    )
  })
  afterAll(() => acme.close())

  it('rejects an order without an external account', async () => {
    const { ctx } = await acme.anotherApp({ ACME_EAB_KEY_ID: undefined, ACME_EAB_KEY: undefined })
    const host = acme.newHost()
    await acme.request(host)
    await acme.process(host, ctx)
    expect(await acme.statusOf(host)).toMatchObject({ state: 'failed', problem: 'internal' })
  })

  it('issues with ACME_EAB_KEY_ID and ACME_EAB_KEY', async () => {
    expect(await acme.order(acme.newHost())).toMatchObject({ state: 'active' })
  })
})
