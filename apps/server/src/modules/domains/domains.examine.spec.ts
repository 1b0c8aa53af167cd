import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reachPath, reachProof } from '../../gateway/reach.ts'
import { createDnsServer, type DnsServer, type Records } from '../../testing/dns-server.ts'
import { freePort } from '../../testing/free-port.ts'
import { examine, type Subject } from './domains.examine.ts'
import { proofName } from './domains.names.ts'

const gatewayHost = 'gateway-eu.sites.example'
const ownHost = 'shop-7f3a.sites.example'
const token = 'slipway-proof-4c1d'
const issuers = ['letsencrypt.org', 'pki.goog']
/** Addresses of this machine: the gateway, a proxy of it, another server, and nothing. */
const gateway = '127.0.0.1'
const proxy = '127.0.0.2'
const other = '127.0.0.3'
const nothing = '127.0.0.4'
const gatewayRecords = { a: [gateway] }

const reachKey = Buffer.alloc(32)
const reach = (host: string, value: string) => reachProof(reachKey, host, value)

let dns: DnsServer
let port: number
let servers: Server[]
/** The hosts of the requests that each server got. */
const requests = { gateway: [] as string[], other: [] as string[] }

async function listen(address: string, handle: RequestListener) {
  const server = createServer(handle).listen(port, address)
  await once(server, 'listening')
  return server
}

beforeAll(async () => {
  dns = await createDnsServer()
  port = await freePort()
  const asGateway: RequestListener = ({ headers: { host = '' }, url = '' }, response) => {
    requests.gateway.push(host)
    response.end(reach(host, url.replace(reachPath, '')))
  }
  servers = [
    await listen(gateway, asGateway),
    await listen(proxy, asGateway),
    await listen(other, ({ headers: { host = '' } }, response) => {
      requests.other.push(host)
      response.writeHead(301, { location: `https://${host}/` }).end()
    }),
  ]
})
afterAll(async () => {
  await dns.close()
  for (const server of servers) server.close().closeAllConnections()
})
beforeEach(() => {
  dns.set(gatewayHost, gatewayRecords)
  dns.set(ownHost, { cname: gatewayHost })
  requests.gateway = []
  requests.other = []
})

const env = () => ({
  DNS_SERVERS: [dns.address],
  SITES_DOMAIN: 'sites.example',
  SITES_URL: `http://sites.example:${port}`,
})

/** In tests every address of this machine counts as public, except one network. */
const mayConnect = (address: string) => !address.startsWith('10.')
const noAbort = new AbortController().signal

const examineName = (
  host: string,
  subject: Partial<Subject> = {},
  options: object = { mayConnect },
) =>
  examine(
    env(),
    { host, gatewayHost, ownHost, token, reach, issuers, ...subject },
    noAbort,
    options,
  )

let count = 0
const newHost = () => `www.shop-${++count}.example`

async function examineNew(records?: Records, subject?: Partial<Subject>, options?: object) {
  const host = newHost()
  if (records) dns.set(host, records)
  const { steps, ...examination } = await examineName(host, subject, options)
  const [record, reached, caa] = steps
  return { ...examination, host, record, reached, caa }
}

const cname = (name: string, value: string) => ({ type: 'CNAME', name, value })
const noProofs = { txt: false, ownRecord: false, sharedRecord: false }
/** No name server has a valid response for the name itself. */
const unknownRecord = { ...noProofs, ownRecord: null }

describe('a record of a domain', () => {
  it('leads here with a CNAME to the gateway, which all projects of the region share', async () => {
    const { host, record, ...examination } = await examineNew({ cname: gatewayHost })
    expect(record).toEqual({
      id: 'record',
      state: 'done',
      problem: null,
      found: [cname(host, gatewayHost)],
      expected: [cname(host, gatewayHost)],
    })
    expect(examination).toMatchObject({
      leadsHere: true,
      proofs: { txt: false, ownRecord: false, sharedRecord: true },
      reached: { id: 'reach', state: 'done', problem: null },
      caa: { id: 'caa', state: 'done', problem: null, found: [] },
      provider: null,
    })
  })

  it('proves the project with a CNAME to its own host, also through other names', async () => {
    const ownRecordOnly = { txt: false, ownRecord: true, sharedRecord: false }
    expect(await examineNew({ cname: ownHost.toUpperCase() })).toMatchObject({
      proofs: ownRecordOnly,
    })
    dns.set('alias.example', { cname: ownHost })
    const { host, record, proofs } = await examineNew({ cname: 'alias.example' })
    expect(proofs).toEqual(ownRecordOnly)
    expect(record?.found).toEqual([cname(host, 'alias.example'), cname('alias.example', ownHost)])
  })

  it('proves nothing with a CNAME to the host of another project or region', async () => {
    dns.set('other-9b2c.sites.example', { cname: gatewayHost })
    dns.set('gateway-us.sites.example', { a: [other] })
    expect(await examineNew({ cname: 'other-9b2c.sites.example' })).toMatchObject({
      proofs: noProofs,
      leadsHere: true,
      record: { state: 'done' },
    })
    expect(await examineNew({ cname: 'gateway-us.sites.example' })).toMatchObject({
      proofs: noProofs,
      leadsHere: false,
      record: { state: 'failed', problem: 'record_elsewhere' },
    })
  })

  it('leads here with a CNAME while the lookup of the gateway itself fails', async () => {
    dns.set(gatewayHost, 'SERVFAIL')
    expect(await examineNew({ cname: gatewayHost })).toMatchObject({
      leadsHere: true,
      record: { state: 'done' },
      reached: { state: 'waiting' },
    })
  })

  it("leads here with some of the gateway's addresses", async () => {
    dns.set(gatewayHost, { a: [gateway, proxy] })
    const { host, ...examination } = await examineNew({ a: [proxy] })
    expect(examination).toMatchObject({
      leadsHere: true,
      proofs: { sharedRecord: true },
      record: { state: 'done', found: [{ type: 'A', name: host, value: proxy }] },
    })
  })

  it('leads here through a wildcard', async () => {
    dns.set('*.wild.example', { cname: gatewayHost })
    expect(await examineName('any.wild.example')).toMatchObject({
      leadsHere: true,
      isWildcard: true,
    })
    dns.set('*.wild.example', gatewayRecords)
    expect(await examineName('any.wild.example')).toMatchObject({
      leadsHere: true,
      isWildcard: true,
    })
  })

  it('may be that of a wildcard, unless the names beside it lead elsewhere', async () => {
    const host = 'www.beside.example'
    dns.set(host, gatewayRecords)
    expect(await examineName(host)).toMatchObject({ isWildcard: false })
    dns.set('*.beside.example', { a: [other] })
    expect(await examineName(host)).toMatchObject({ isWildcard: false })
    dns.set('*.beside.example', 'SERVFAIL')
    expect(await examineName(host)).toMatchObject({ isWildcard: true })
  })

  it('is missing, whether the name exists or not', async () => {
    const missing = {
      leadsHere: false,
      proofs: noProofs,
      record: { state: 'failed', problem: 'record_missing', found: [] },
      reached: { state: 'waiting', problem: null },
    }
    expect(await examineNew()).toMatchObject(missing)
    expect(await examineNew({})).toMatchObject(missing)
  })

  it('leads elsewhere, to a host with or without an address', async () => {
    dns.set('elsewhere.example', { a: [other] })
    const { host, ...examination } = await examineNew({ cname: 'elsewhere.example' })
    expect(examination).toMatchObject({
      leadsHere: false,
      proofs: noProofs,
      record: {
        state: 'failed',
        problem: 'record_elsewhere',
        found: [cname(host, 'elsewhere.example')],
      },
      reached: { state: 'failed', problem: 'other_server' },
    })
    expect((await examineNew({ cname: 'nowhere.example' })).record).toMatchObject({
      problem: 'record_elsewhere',
    })
  })

  it('warns about IPv6 addresses and other records that lead elsewhere', async () => {
    expect(await examineNew({ ...gatewayRecords, aaaa: ['::1'] })).toMatchObject({
      leadsHere: true,
      record: { state: 'warning', problem: 'ipv6_elsewhere' },
    })
    const several = await examineNew({ a: [gateway, other] })
    expect(several).toMatchObject({
      leadsHere: true,
      record: { state: 'warning', problem: 'several_targets' },
      reached: { state: 'warning', problem: 'other_server', found: [{ value: other }] },
    })
    expect(several.record?.found).toHaveLength(2)
  })

  it('leads here through a proxy that passes requests on', async () => {
    dns.set('edge.proxy.example', { a: [proxy] })
    for (const records of [{ a: [proxy] }, { cname: 'edge.proxy.example' }])
      expect(await examineNew(records)).toMatchObject({
        leadsHere: true,
        // The owner of the proxy decides where it leads: that proves nothing.
        proofs: noProofs,
        record: { state: 'warning', problem: 'proxied' },
        reached: { state: 'done' },
      })
  })

  it('is repeated when the provider added the name of the zone', async () => {
    for (const records of [{ cname: gatewayHost }, { cname: ownHost }, gatewayRecords]) {
      const host = newHost()
      dns.set(`${host}.${host.slice(4)}`, records)
      const { leadsHere, proofs, steps } = await examineName(host)
      expect({ leadsHere, proofs, step: steps[0] }).toMatchObject({
        leadsHere: false,
        proofs: noProofs,
        step: { problem: 'name_repeated', found: [{ name: `${host}.${host.slice(4)}` }] },
      })
    }
  })

  it('is repeated when only the TXT record was entered, with the name of the zone', async () => {
    const host = newHost()
    dns.set(`${proofName(host)}.${host.slice(4)}`, { txt: [token] })
    const { proofs, steps } = await examineName(host)
    expect(proofs).toEqual(noProofs)
    expect(steps[0]).toMatchObject({ problem: 'name_repeated', found: [{ type: 'TXT' }] })
  })

  it('is a CNAME at the name of the zone, whether or not its name servers hide the others', async () => {
    const ns = ['ns1.registrar.example']
    dns.set('apex-1.example', { cname: gatewayHost })
    dns.set('apex-2.example', { cname: gatewayHost, ns })
    dns.set('sub.apex-3.example', { cname: gatewayHost, ns })
    for (const host of ['apex-1.example', 'apex-2.example', 'sub.apex-3.example'])
      expect(await examineName(host)).toMatchObject({
        leadsHere: true,
        steps: [
          {
            state: 'warning',
            problem: 'cname_at_apex',
            expected: [{ type: 'A', name: host, value: gateway }],
          },
          {},
          {},
        ],
      })
    dns.set('apex-4.example', { cname: 'elsewhere.example', ns })
    expect(await examineName('apex-4.example')).toMatchObject({
      leadsHere: false,
      steps: [{ state: 'failed', problem: 'cname_at_apex' }, {}, {}],
    })
  })

  it('is a chain of CNAMEs that loops or is too long', async () => {
    dns.set('ring.example', { cname: 'round.example' })
    dns.set('round.example', { cname: 'ring.example' })
    const ring = await examineNew({ cname: 'ring.example' })
    expect(ring).toMatchObject({ leadsHere: false, record: { problem: 'cname_loop' } })
    expect(ring.record?.found).toHaveLength(3)
    for (let hop = 0; hop < 30; hop++)
      dns.set(`hop-${hop}.example`, { cname: `hop-${hop + 1}.example` })
    const long = await examineNew({ cname: 'hop-0.example' })
    expect(long.record?.problem).toBe('cname_loop')
    expect(long.record?.found).toHaveLength(8)
  })

  it('has a private address, to which nothing connects', async () => {
    expect(await examineNew({ a: ['10.0.0.7'] })).toMatchObject({
      leadsHere: false,
      record: { state: 'failed', problem: 'private_address', found: [{ value: '10.0.0.7' }] },
      reached: { state: 'waiting' },
    })
    expect(await examineNew({ a: [gateway, '10.0.0.7'] })).toMatchObject({
      leadsHere: true,
      record: { state: 'warning', problem: 'private_address' },
    })
  })

  it('reveals no name and no address of the network of the service through a CNAME', async () => {
    dns.set('database.internal', { cname: 'rack-7.internal' })
    dns.set('rack-7.internal', { a: ['10.0.0.7'] })
    dns.set('unused.internal', { cname: 'rack-8.internal' })
    for (const [target, problem] of [
      ['database.internal', 'private_address'],
      ['unused.internal', 'record_elsewhere'],
    ] as const) {
      const { host, ...examination } = await examineNew({ cname: target })
      expect(examination.record).toMatchObject({ problem, found: [cname(host, target)] })
      expect(JSON.stringify(examination)).not.toMatch(/rack-|10\.0\.0/)
    }
  })

  it('fails DNSSEC', async () => {
    expect(await examineNew({ ...gatewayRecords, bogus: true })).toMatchObject({
      leadsHere: false,
      // Data that fails the check may be forged.
      proofs: unknownRecord,
      record: { state: 'failed', problem: 'dnssec' },
    })
    dns.set('bogus.example', { a: [other], bogus: true })
    expect((await examineNew({ cname: 'bogus.example' })).record?.problem).toBe('dnssec')
  })

  it('is unknown without a valid response of the name servers', async () => {
    const failures = ['SERVFAIL', 'REFUSED', 'silence', 'malformed', 'wrong id', 'wrong question']
    const examinations = await Promise.all(failures.map((each) => examineNew(each as Records)))
    for (const examination of examinations)
      expect(examination).toMatchObject({
        leadsHere: null,
        proofs: unknownRecord,
        record: { state: 'failed', problem: 'no_response', found: [] },
        reached: { state: 'waiting' },
        caa: { state: 'waiting', problem: null },
      })
  })

  it('is unknown while the addresses of the gateway are unknown, unless a gateway responds', async () => {
    dns.set(gatewayHost, 'SERVFAIL')
    expect(await examineNew({ a: [other] })).toMatchObject({
      leadsHere: null,
      record: { state: 'waiting', problem: null },
    })
    expect(await examineNew({ a: [gateway] })).toMatchObject({
      leadsHere: true,
      proofs: noProofs,
      record: { state: 'done' },
    })
  })

  it('is accepted although name servers fail for IPv6', async () => {
    expect(await examineNew({ ...gatewayRecords, failing: ['AAAA'] })).toMatchObject({
      leadsHere: true,
      record: { state: 'done' },
    })
  })

  it('is not taken from records of other names in the response', async () => {
    const unrelated = [
      { type: 'A' as const, name: 'unrelated.example', data: gateway },
      { type: 'CNAME' as const, name: 'unrelated.example', data: gatewayHost },
    ]
    expect(await examineNew({ a: [other], unrelated })).toMatchObject({
      leadsHere: false,
      proofs: noProofs,
      record: { problem: 'record_elsewhere', found: [{ value: other }] },
    })
  })

  it('is judged by 500 of thousands of addresses, of which 16 are stored and 2 are tried', async () => {
    const many = Array.from(
      { length: 1500 },
      (_, last) => `127.1.${Math.floor(last / 250)}.${last % 250}`,
    )
    const { leadsHere, record, reached } = await examineNew({ a: [gateway, ...many] })
    expect({ leadsHere, problem: record?.problem }).toEqual({
      leadsHere: true,
      problem: 'several_targets',
    })
    expect(record?.found).toHaveLength(16)
    expect(reached?.found).toHaveLength(2)
  })

  it('is judged by what was found within six seconds', async () => {
    for (let hop = 0; hop < 8; hop++)
      dns.set(`slow-${hop}.example`, { cname: `slow-${hop + 1}.example`, delay: 1200 })
    const { record } = await examineNew({ cname: 'slow-0.example' })
    expect(record?.problem).toBe('record_elsewhere')
    expect(record?.found.length).toBeLessThan(8)
  })

  it('is stored as printable text, for any bytes that a name server sends', async () => {
    const { host, record } = await examineNew({ cname: 'nul\u0000.ünïcode.example' })
    expect(record?.found).toEqual([cname(host, 'nul\\000.\\252n\\239code.example')])
  })

  it('is looked up for names of 253 characters and of 123 labels, in ASCII', async () => {
    const long = `${'a'.repeat(61)}.${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(59)}.example`
    const deep = `${'a.'.repeat(122)}example`
    expect([long.length, deep.split('.').length]).toEqual([253, 123])
    for (const host of [long, deep, 'www.xn--gm-kiz0i.example']) {
      dns.set(host, { cname: gatewayHost })
      expect(await examineName(host)).toMatchObject({
        leadsHere: true,
        proofs: { sharedRecord: true, txt: false },
        steps: [{ state: 'done' }, { state: 'done' }, { state: 'done' }],
      })
    }
  })

  it('is not looked up any more once the caller aborts', async () => {
    const release = dns.pause()
    const firstQuestion = dns.nextQuestion()
    const abort = new AbortController()
    const subject = { host: newHost(), gatewayHost, ownHost, token, reach, issuers }
    const examination = examine(env(), subject, abort.signal)
    await firstQuestion
    abort.abort(new Error('stopping'))
    await expect(examination).rejects.toThrow('stopping')
    release()
  })
})

describe('a TXT record', () => {
  const txt = async (value: Exclude<Records, string>['txt']) => {
    const host = newHost()
    dns.set(proofName(host), { txt: value ?? [] })
    return (await examineName(host)).proofs.txt
  }

  it('proves a name with its token, among others, in parts and in quotes', async () => {
    expect(await txt([token])).toBe(true)
    expect(await txt(['v=spf1 -all', token])).toBe(true)
    expect(await txt([[token.slice(0, 5), token.slice(5)]])).toBe(true)
    expect(await txt([` "${token}" `])).toBe(true)
  })

  it('proves nothing with another token, a longer one or parts in two records', async () => {
    expect(await txt(['slipway-proof-0000'])).toBe(false)
    expect(await txt([`${token}0`])).toBe(false)
    expect(await txt([token.toUpperCase()])).toBe(false)
    expect(await txt([token.slice(0, 5), token.slice(5)])).toBe(false)
  })

  it('proves a name that leads elsewhere', async () => {
    const host = newHost()
    dns.set(host, { a: [other] })
    dns.set(proofName(host), { txt: [token] })
    expect(await examineName(host)).toMatchObject({ leadsHere: false, proofs: { txt: true } })
  })

  it('is unknown while the name servers do not respond', async () => {
    const host = newHost()
    dns.set(proofName(host), 'SERVFAIL')
    expect((await examineName(host)).proofs.txt).toBe(null)
  })
})

describe('the name servers of a zone', () => {
  const nameServer = '127.0.0.1'
  let authority: DnsServer
  let fresh: { mayConnect: typeof mayConnect; dnsPort: number }

  beforeAll(async () => {
    authority = await createDnsServer()
    fresh = { mayConnect, dnsPort: Number(authority.address.split(':')[1]) }
    dns.set('ns1.authority.example', { a: [nameServer] })
  })
  afterAll(() => authority.close())

  /** A new host whose zone is at the authority, and the records that a resolver caches. */
  function newCachedHost(records: Records, cached?: Records) {
    const host = newHost()
    dns.set(host.slice(4), { ns: ['ns1.authority.example'] })
    if (cached) dns.set(host, cached)
    authority.set(host, records)
    return host
  }

  it('show a new record while a resolver still has its absence in its cache', async () => {
    const host = newCachedHost({ cname: gatewayHost })
    expect(await examineName(host, {}, fresh)).toMatchObject({
      leadsHere: true,
      proofs: { sharedRecord: true },
      steps: [{ state: 'done', found: [cname(host, gatewayHost)] }, { state: 'done' }, {}],
    })
    expect(await examineName(newCachedHost(gatewayRecords), {}, fresh)).toMatchObject({
      leadsHere: true,
    })
  })

  it('show a new TXT record at once, too', async () => {
    const host = newCachedHost({})
    authority.set(proofName(host), { txt: [token] })
    expect((await examineName(host, {}, fresh)).proofs.txt).toBe(true)
  })

  it('show a changed and a removed record at once', async () => {
    const changed = newCachedHost({ cname: 'elsewhere.example' }, { cname: gatewayHost })
    expect(await examineName(changed, {}, fresh)).toMatchObject({
      leadsHere: false,
      proofs: noProofs,
      steps: [{ problem: 'record_elsewhere' }, {}, {}],
    })
    expect(await examineName(newCachedHost({}, gatewayRecords), {}, fresh)).toMatchObject({
      leadsHere: false,
      steps: [{ problem: 'record_missing' }, {}, {}],
    })
  })

  it('do not hide that DNSSEC fails', async () => {
    const host = newCachedHost(gatewayRecords, { ...gatewayRecords, bogus: true })
    expect(await examineName(host, {}, fresh)).toMatchObject({
      leadsHere: false,
      proofs: unknownRecord,
      steps: [{ problem: 'dnssec' }, {}, {}],
    })
  })

  it('get no query at private addresses, and the resolver decides if they fail', async () => {
    authority.questions.length = 0
    const host = newCachedHost({}, gatewayRecords)
    const { dnsPort } = fresh
    expect(await examineName(host, {}, { dnsPort, mayConnect: () => false })).toMatchObject({
      leadsHere: true,
    })
    expect(authority.questions).toEqual([])
    const failing = newCachedHost('REFUSED', gatewayRecords)
    expect(await examineName(failing, {}, fresh)).toMatchObject({ leadsHere: true })
  })
})

describe('the server of a domain', () => {
  it('gets a request with the host of the domain, at addresses that were checked', async () => {
    const { host } = await examineNew({ a: [other] })
    expect(requests.other).toEqual([host])
  })

  it('gets no request at the loopback or in private networks', async () => {
    const examination = await examineNew({ a: [other, proxy] }, {}, {})
    expect(examination).toMatchObject({
      leadsHere: false,
      record: { problem: 'private_address' },
      reached: { state: 'waiting' },
    })
    expect(requests).toEqual({ gateway: [], other: [] })
  })

  it("gets a request at the gateway's own addresses, private ones included", async () => {
    expect((await examineNew({ cname: gatewayHost }, {}, {})).reached?.state).toBe('done')
    expect(requests.gateway).toHaveLength(1)
  })

  it('may be missing', async () => {
    expect((await examineNew({ a: [nothing] })).reached).toEqual({
      id: 'reach',
      state: 'failed',
      problem: 'unreachable',
      found: [{ type: 'A', name: expect.any(String), value: nothing }],
      expected: [],
    })
  })

  it('is unknown where no gateway proves itself', async () => {
    const { leadsHere, reached } = await examineNew({ cname: gatewayHost }, { reach: null })
    expect({ leadsHere, reached }).toMatchObject({ leadsHere: true, reached: { state: 'waiting' } })
    expect(requests.gateway).toEqual([])
  })
})

describe('the CAA records of a domain', () => {
  const only = (value: string) => [{ tag: 'issue', value }]

  it('are those of the nearest name that has any', async () => {
    const zone = 'caa-1.example'
    dns.set(zone, { caa: only('letsencrypt.org') })
    dns.set(`inner.${zone}`, { caa: only(';') })
    expect((await examineName(`www.${zone}`)).steps[2]).toEqual({
      id: 'caa',
      state: 'done',
      problem: null,
      found: [{ type: 'CAA', name: zone, value: '0 issue "letsencrypt.org"' }],
      expected: [],
    })
    expect((await examineName(`www.inner.${zone}`)).steps[2]).toMatchObject({
      state: 'failed',
      problem: 'caa_forbids',
      found: [{ name: `inner.${zone}`, value: '0 issue ";"' }],
      expected: [{ type: 'CAA', name: `inner.${zone}`, value: '0 issue "letsencrypt.org"' }],
    })
  })

  it('are those at the end of a CNAME, but not above it', async () => {
    dns.set('target.example', { caa: only('other-ca.example') })
    dns.set('below.target.example', { a: [other] })
    expect((await examineNew({ cname: 'target.example' })).caa?.problem).toBe('caa_forbids')
    expect((await examineNew({ cname: 'below.target.example' })).caa?.state).toBe('done')
  })

  it('forbid certificates when their lookup fails', async () => {
    expect((await examineNew({ ...gatewayRecords, failing: ['CAA'] })).caa).toMatchObject({
      state: 'failed',
      problem: 'no_response',
    })
  })

  it('are not looked up where no certificates are issued', async () => {
    dns.questions.length = 0
    const { caa } = await examineNew(gatewayRecords, { issuers: [] })
    expect(caa).toEqual({ id: 'caa', state: 'waiting', problem: null, found: [], expected: [] })
    expect(dns.questions.filter((each) => each.startsWith('CAA'))).toEqual([])
  })
})

describe('the provider of a domain', () => {
  it('is found by the name servers of its zone', async () => {
    dns.set('hosted-1.example', { ns: ['ADA.ns.cloudflare.com.'] })
    expect((await examineName('www.hosted-1.example')).provider).toBe('cloudflare')
  })

  it('is that of a delegated part of the zone', async () => {
    dns.set('hosted-2.example', { ns: ['ns1.domaincontrol.com'] })
    dns.set('shop.hosted-2.example', { ns: ['ns-12.awsdns-34.co.uk'] })
    expect((await examineName('www.shop.hosted-2.example')).provider).toBe('route53')
  })

  it('is not that of the zone to which a CNAME leads', async () => {
    dns.set('target-zone.example', { ns: ['ns1.domaincontrol.com'] })
    expect((await examineNew({ cname: 'target-zone.example' })).provider).toBeNull()
  })
})

describe('the records to enter', () => {
  const recordsFor = async (host: string) => (await examineName(host)).steps[0]?.expected

  it('are a CNAME to the gateway', async () => {
    expect(await recordsFor('www.enter.example')).toEqual([cname('www.enter.example', gatewayHost)])
  })

  it("are the gateway's addresses for the name of a zone", async () => {
    dns.set(gatewayHost, { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] })
    dns.set('sub.enter.example', { ns: ['ns1.registrar.example'] })
    for (const name of ['enter.example', 'sub.enter.example'])
      expect(await recordsFor(name)).toEqual([
        { type: 'A', name, value: '192.0.2.1' },
        { type: 'AAAA', name, value: '2001:db8::1' },
      ])
  })

  it('are empty for the name of a zone while the addresses of the gateway are unknown', async () => {
    dns.set(gatewayHost, 'SERVFAIL')
    expect(await recordsFor('enter.example')).toEqual([])
  })
})
