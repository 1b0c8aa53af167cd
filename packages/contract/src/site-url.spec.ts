import { describe, expect, it } from 'vitest'
import { siteOrigin } from './site-url.ts'

const site = {
  domain: 'www.example.com',
  domainState: 'active',
  secure: false,
  sitePorts: { http: 8080, https: 8443 },
  defaultUrl: 'http://blog-x7k2p1.localhost:8080',
} as const

describe('the origin of a site', () => {
  it('is the default URL of a project without a domain', () => {
    expect(siteOrigin({ ...site, domain: null, domainState: null })).toBe(site.defaultUrl)
  })

  it.each([
    [{}, 'http://www.example.com:8080'],
    [{ secure: true }, 'https://www.example.com:8443'],
    [{ sitePorts: { http: 80, https: 443 } }, 'http://www.example.com'],
    [{ secure: true, sitePorts: { http: 80, https: 443 } }, 'https://www.example.com'],
  ])('is the primary domain, by https once it has a certificate: %j', (changes, origin) => {
    expect(siteOrigin({ ...site, ...changes })).toBe(origin)
  })

  it.each(['pending', 'failed'] as const)('is the default URL while the domain is %s', (state) => {
    expect(siteOrigin({ ...site, domainState: state })).toBe(site.defaultUrl)
  })
})
