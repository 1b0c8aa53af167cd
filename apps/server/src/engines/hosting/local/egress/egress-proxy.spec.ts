import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { createDnsServer, type Records } from '../../../../testing/dns-server.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { until } from '../../../../testing/until.ts'
import { createEgress } from './egress-proxy.ts'

/** Sites with a proxy each, a name server, and a server of the internet. */
async function startEgress(zone: Record<string, Records>) {
  const dns = await createDnsServer(zone)
  onTestFinished(() => dns.close())
  const server = createServer((_request, response) => response.end('a page')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({
    log: createLogBook().log,
    mayConnect: (address) => address === '127.0.0.1',
    sendEmail: async () => null,
    nameServers: [dns.address],
  })
  onTestFinished(() => egress.closeAll())
  const folder = await createDataFolder()

  /** A site; resolves with the status that its proxy responds with to CONNECT. */
  async function openSite(key: string) {
    await egress.open(key, join(folder, key), null)
    return (host: string, to = port) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = `${host}:${to}`
        request({ socketPath: join(folder, key, 's'), method: 'CONNECT', path, agent: false })
          .on('connect', ({ statusCode }, socket) => {
            socket.destroy()
            resolve(statusCode)
          })
          .on('error', reject)
          .end()
      })
  }
  return { dns, openSite }
}

describe('the egress proxy of a site', () => {
  it('connects while names of another site are not answered, which end without an address', async () => {
    const { dns, openSite } = await startEgress({
      '*.slow.example': 'silence',
      'shop.example': { a: ['127.0.0.1'] },
    })
    const slowSite = await openSite('slow')
    const site = await openSite('shop')
    const slow = Array.from({ length: 100 }, (_, index) => slowSite(`n${index}.slow.example`))
    await until(() => dns.questions.filter((question) => question.startsWith('A ')).length >= 100)
    expect(await site('shop.example')).toBe(200)
    expect(new Set(await Promise.all(slow))).toEqual(new Set([502]))
  })

  it('connects to the addresses that it checked, whatever the name leads to later', async () => {
    const { dns, openSite } = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    const site = await openSite('shop')
    expect(await site('shop.example')).toBe(200)
    expect(new Set(dns.questions)).toEqual(new Set(['A shop.example', 'AAAA shop.example']))
  })

  it.each([
    ['a name with one closed address', 'mixed.example'],
    ['a name that leads to a closed address', 'closed.example'],
    ['a name without a dot', 'localhost'],
    ['an address in another spelling', '0x7f.0.0.2'],
    ['a port that is none', 'shop.example', 99_999],
  ])('does not connect to %s', async (_what, host, port?: number) => {
    const { openSite } = await startEgress({
      'mixed.example': { a: ['127.0.0.1', '10.0.0.1'] },
      'closed.example': { aaaa: ['fd00::1'] },
      'shop.example': { a: ['127.0.0.1'] },
    })
    expect(await (await openSite('shop'))(host, port)).toBe(403)
  })

  it('does not connect to a name without an address', async () => {
    const { openSite } = await startEgress({})
    expect(await (await openSite('shop'))('missing.example')).toBe(502)
  })
})
