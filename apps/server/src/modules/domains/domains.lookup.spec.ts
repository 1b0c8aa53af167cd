import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDnsServer, type DnsServer, type Records } from '../../testing/dns-server.ts'
import { lookUp } from './domains.lookup.ts'
import { recordsOf, verdictOf } from './domains.policy.ts'

const gateway = 'gateway-eu.sites.example'
const here = { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] }

let dns: DnsServer
beforeAll(async () => {
  dns = await createDnsServer({ [gateway]: here })
})
afterAll(() => dns.close())

let domains = 0
/** Looks up a new domain with these records. */
async function lookUpNew(records?: Records) {
  domains++
  const domain = `www.shop-${domains}.example`
  if (records) dns.set(domain, records)
  return lookUpDomain(domain)
}

async function lookUpDomain(domain: string) {
  const answers = await lookUp({ DNS_SERVERS: [dns.address] }, domain, gateway)
  return { verdict: verdictOf(answers, gateway), found: recordsOf(answers) }
}

const cname = (...values: string[]) => values.map((value) => ({ type: 'CNAME', value }))

describe('a custom domain', () => {
  it('is correct with a CNAME to the gateway, in any case', async () => {
    expect(await lookUpNew({ cname: gateway })).toEqual({
      verdict: 'correct',
      found: cname(gateway),
    })
    expect(await lookUpNew({ cname: gateway.toUpperCase() })).toMatchObject({ verdict: 'correct' })
  })

  it('is correct with a chain of CNAMEs to the gateway', async () => {
    dns.set('first.example', { cname: 'second.example' })
    dns.set('second.example', { cname: gateway })
    expect(await lookUpNew({ cname: 'first.example' })).toEqual({
      verdict: 'correct',
      found: cname('first.example', 'second.example', gateway),
    })
  })

  it('is correct with a CNAME to a gateway whose own lookup fails', async () => {
    dns.set(gateway, 'SERVFAIL')
    const outcome = await lookUpNew({ cname: gateway })
    dns.set(gateway, here)
    expect(outcome.verdict).toBe('correct')
  })

  it("is correct at the apex of a zone with all or some of the gateway's addresses", async () => {
    expect(await lookUpNew(here)).toEqual({
      verdict: 'correct',
      found: [
        { type: 'A', value: '192.0.2.1' },
        { type: 'A', value: '192.0.2.2' },
        { type: 'AAAA', value: '2001:db8::1' },
      ],
    })
    expect(await lookUpNew({ a: ['192.0.2.2'] })).toMatchObject({ verdict: 'correct' })
  })

  it('is correct with a wildcard record', async () => {
    dns.set('*.wild.example', { cname: gateway })
    expect((await lookUpDomain('any.wild.example')).verdict).toBe('correct')
  })

  it("is different with one address that is not the gateway's", async () => {
    expect(await lookUpNew({ a: ['192.0.2.1', '198.51.100.7'] })).toEqual({
      verdict: 'different',
      found: [
        { type: 'A', value: '192.0.2.1' },
        { type: 'A', value: '198.51.100.7' },
      ],
    })
  })

  it('is different with a CNAME to another host, with or without addresses', async () => {
    dns.set('elsewhere.example', { a: ['198.51.100.7'] })
    const elsewhere = { verdict: 'different', found: cname('elsewhere.example') }
    expect(await lookUpNew({ cname: 'elsewhere.example' })).toEqual(elsewhere)
    const nowhere = { verdict: 'different', found: cname('nowhere.example') }
    expect(await lookUpNew({ cname: 'nowhere.example' })).toEqual(nowhere)
  })

  it('is different when its CNAMEs loop or the chain is too long', async () => {
    dns.set('ring.example', { cname: 'round.example' })
    dns.set('round.example', { cname: 'ring.example' })
    expect(await lookUpDomain('ring.example')).toEqual({
      verdict: 'different',
      found: cname('round.example', 'ring.example'),
    })
    for (let hop = 0; hop < 30; hop++)
      dns.set(`hop-${hop}.example`, { cname: `hop-${hop + 1}.example` })
    const long = await lookUpDomain('hop-0.example')
    expect(long.verdict).toBe('different')
    expect(long.found).toHaveLength(8)
  })

  it('is missing without a record, whether the name exists or not', async () => {
    expect(await lookUpNew()).toEqual({ verdict: 'missing', found: [] })
    expect(await lookUpNew({})).toEqual({ verdict: 'missing', found: [] })
  })

  it.each(['SERVFAIL', 'REFUSED', 'silence'] as const)('is unknown after %s', async (failure) => {
    expect(await lookUpNew(failure)).toEqual({ verdict: 'unknown', found: [] })
  })

  it("is unknown when the lookup of the gateway's addresses fails", async () => {
    dns.set(gateway, 'SERVFAIL')
    const outcome = await lookUpNew({ a: ['192.0.2.1'] })
    dns.set(gateway, here)
    expect(outcome.verdict).toBe('unknown')
  })

  it('is unknown when no name server is running', async () => {
    const gone = await createDnsServer()
    await gone.close()
    const answers = await lookUp({ DNS_SERVERS: [gone.address] }, 'www.example.com', gateway)
    expect(verdictOf(answers, gateway)).toBe('unknown')
  })

  it('is judged by all of its addresses, and lists 16, when they do not fit into a datagram', async () => {
    const many = Array.from({ length: 60 }, (_, last) => `198.51.100.${last}`)
    const { verdict, found } = await lookUpNew({ a: many })
    expect(verdict).toBe('different')
    expect(found).toHaveLength(16)
  })

  it('is looked up in its ASCII form', async () => {
    dns.set('xn--gm-kiz0i.example', { cname: gateway })
    expect((await lookUpDomain('xn--gm-kiz0i.example')).verdict).toBe('correct')
  })
})
