import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDnsServer, type DnsServer } from '../../testing/dns-server.ts'
import { createLookup } from './domains.lookup.ts'

let dns: DnsServer
beforeAll(async () => {
  dns = await createDnsServer({ 'www.example': { a: ['192.0.2.1'] } })
})
afterAll(() => dns.close())

const noAbort = new AbortController().signal
const lookUp = (...servers: string[]) => createLookup({ DNS_SERVERS: servers }, noAbort)
const found = { status: 'answered', records: [{ type: 'A', data: '192.0.2.1' }] }

describe('a lookup', () => {
  it('finds the records of a name, in any case and with a trailing dot', async () => {
    const lookup = lookUp(dns.address)
    expect(await lookup.query('www.example', 'A')).toMatchObject(found)
    expect(await lookup.query('WWW.Example.', 'A')).toMatchObject(found)
    expect(await lookup.query('www.example', 'AAAA')).toMatchObject({ records: [] })
  })

  it('is not cached: a changed record is found at once', async () => {
    dns.set('changed.example', { a: ['192.0.2.1'] })
    expect(await lookUp(dns.address).query('changed.example', 'A')).toMatchObject(found)
    dns.set('changed.example', { a: ['192.0.2.2'] })
    expect(await lookUp(dns.address).query('changed.example', 'A')).toMatchObject({
      records: [{ data: '192.0.2.2' }],
    })
  })

  it('queries the next server when one fails or is gone, and stays with it', async () => {
    const failing = await createDnsServer({ 'www.example': 'SERVFAIL' })
    const closed = await createDnsServer()
    await closed.close()
    const lookup = lookUp(closed.address, failing.address, dns.address)
    expect(await lookup.query('www.example', 'A')).toMatchObject(found)
    expect(await lookup.query('www.example', 'A')).toMatchObject(found)
    expect(failing.questions).toHaveLength(1)
    await failing.close()
  })

  it('fails when each server fails, and queries each once', async () => {
    const failing = await createDnsServer({ 'www.example': 'REFUSED' })
    const response = await lookUp(failing.address).query('www.example', 'A')
    expect(response).toEqual({ status: 'failed', owner: 'www.example', records: [] })
    expect(failing.questions).toHaveLength(1)
    await failing.close()
  })

  it('gets no response where no server runs', async () => {
    const closed = await createDnsServer()
    await closed.close()
    expect(await lookUp(closed.address).query('www.example', 'A')).toMatchObject({
      status: 'silent',
    })
  })

  it('gets no response after an abort, without a query', async () => {
    const aborted = createLookup({ DNS_SERVERS: [dns.address] }, AbortSignal.abort())
    dns.questions.length = 0
    expect(await aborted.query('www.example', 'A')).toMatchObject({ status: 'silent' })
    expect(dns.questions).toEqual([])
  })

  it('of a longer name than DNS has finds nothing, without a query', async () => {
    dns.questions.length = 0
    const name = `_slipway.${'a.'.repeat(122)}example`
    expect(name).toHaveLength(260)
    expect(await lookUp(dns.address).query(name, 'TXT')).toMatchObject({
      status: 'answered',
      records: [],
    })
    expect(dns.questions).toEqual([])
  })
})

describe('a response of a name server', () => {
  const types = ['A', 'AAAA', 'CNAME', 'NS', 'TXT', 'CAA'] as const

  it('may have any bytes: it is a response or none', async () => {
    let bytes = Buffer.alloc(0)
    // Responds to the question with these bytes as up to 3 records.
    const server = createServer((connection) => {
      connection.on('error', () => connection.destroy())
      connection.on('data', (query: Buffer) => {
        const response = Buffer.concat([query, bytes])
        response.writeUInt16BE(response.length - 2)
        response.writeUInt16BE(0x8400, 4)
        response.writeUInt16BE(3, 8)
        connection.write(response)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    // A record of each type for the question's name, with random data and length.
    const record = fc
      .tuple(
        fc.constantFrom(1, 28, 5, 2, 16, 257),
        fc.uint8Array({ maxLength: 40 }),
        fc.option(fc.nat(0xffff)),
      )
      .map(([type, data, length]) => {
        const head = Buffer.from([0xc0, 12, 0, 0, 0, 1, 0, 0, 0, 60, 0, 0])
        head.writeUInt16BE(type, 2)
        head.writeUInt16BE(length ?? data.length, 10)
        return Buffer.concat([head, data])
      })
    const anything = fc.uint8Array({ maxLength: 200 }).map((data) => Buffer.from(data))
    const lookup = lookUp(dns.address)
    let responses = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.array(record, { minLength: 3, maxLength: 3 }).map(Buffer.concat), anything),
        fc.constantFrom(...types),
        async (next, type) => {
          bytes = next
          const authority = { address: '127.0.0.1', port }
          const response = await lookup.queryAuthority(authority, 'www.example', type)
          if (response) responses++
          for (const each of response?.records ?? []) expect(each.type).toBe(type)
        },
      ),
      { numRuns: 500 },
    )
    expect(responses).toBeGreaterThan(0)
    server.close()
  })

  it('counts only with authority over the name', async () => {
    const [address = '', port] = dns.address.split(':')
    const lookup = lookUp(dns.address)
    const server = { address, port: Number(port) }
    expect(await lookup.queryAuthority(server, 'www.example', 'A')).toMatchObject(found)
    dns.set('refused.example', 'REFUSED')
    expect(await lookup.queryAuthority(server, 'refused.example', 'A')).toBeNull()
    dns.set('delegated.example', { a: ['192.0.2.1'], lame: true })
    expect(await lookup.queryAuthority(server, 'delegated.example', 'A')).toBeNull()
  })
})
