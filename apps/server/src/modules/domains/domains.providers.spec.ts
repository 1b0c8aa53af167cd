import { describe, expect, it } from 'vitest'
import { providerOf, providers } from './domains.providers.ts'

describe('a DNS provider', () => {
  it.each([
    ['ada.ns.cloudflare.com', 'cloudflare'],
    ['ns51.domaincontrol.com', 'godaddy'],
    ['dns1.registrar-servers.com', 'namecheap'],
    ['ns-cloud-e1.googledomains.com', 'squarespace'],
    ['ns01.squarespacedns.com', 'squarespace'],
    ['ns1.dns-parking.com', 'hostinger'],
    ['ns-2048.awsdns-64.net', 'route53'],
    ['ns-1536.awsdns-00.co.uk', 'route53'],
    ['ns1031.ui-dns.biz', 'ionos'],
    ['ns0.wixdns.net', 'wix'],
    ['dns10.ovh.net', 'ovh'],
    ['ns1.digitalocean.com', 'digitalocean'],
  ])('with the name server %s is %s', (nameServer, id) => {
    expect(providerOf([nameServer, 'ns.other.example'])?.id).toBe(id)
  })

  it('is unknown for other name servers, also with a similar name', () => {
    expect(providerOf([])).toBeUndefined()
    expect(providerOf(['ns1.example.com', 'ns.notwixdns.net', 'ns0.wixdns.net.example'])).toBe(
      undefined,
    )
  })

  it('has a unique id and a page on https', () => {
    expect(new Set(providers.map(({ id }) => id)).size).toBe(providers.length)
    for (const { url } of providers) expect(new URL(url).protocol).toBe('https:')
  })
})
