import { describe, expect, it } from 'vitest'
import { accessUrl, siteUrl, usesDefaultUrl } from './access-url.ts'

const signIn = '/yk/app/auth/oauth/cloud'

const site = {
  runtime: 'starter',
  state: 'ready',
  power: 'running',
  failure: null,
  domain: null,
  domainVerdict: null,
  defaultUrl: 'http://blog-x7k2p1.localhost:8080',
} as const
const withDomain = { ...site, domain: 'www.example.com', domainVerdict: 'correct' } as const

describe('access link', () => {
  it('is the default URL of a project without a domain', () => {
    expect(accessUrl(site)).toBe(`http://blog-x7k2p1.localhost:8080${signIn}`)
    expect(siteUrl(site)).toBe('http://blog-x7k2p1.localhost:8080/')
    expect(usesDefaultUrl(site)).toBe(false)
  })

  it.each(['static', 'node', 'php'] as const)(
    'is none for %s, which has no sign-in of ours',
    (runtime) => {
      expect(accessUrl({ ...site, runtime })).toBeNull()
      expect(siteUrl({ ...site, runtime })).toBe('http://blog-x7k2p1.localhost:8080/')
    },
  )

  it('is the custom domain with the scheme and port of the default URL', () => {
    expect(accessUrl(withDomain)).toBe(`http://www.example.com:8080${signIn}`)
    expect(siteUrl(withDomain)).toBe('http://www.example.com:8080/')
    expect(accessUrl({ ...withDomain, defaultUrl: 'https://blog.sites.example' })).toBe(
      `https://www.example.com${signIn}`,
    )
    expect(usesDefaultUrl(withDomain)).toBe(false)
  })

  it.each([
    { state: 'modifying' },
    { failure: 'domain_not_routed' },
    { domainVerdict: null },
    { domainVerdict: 'missing' },
    { domainVerdict: 'different' },
    { domainVerdict: 'unknown' },
  ] as const)('is the default URL until the domain shows the site: %j', (not) => {
    const project = { ...withDomain, ...not }
    expect(accessUrl(project)).toBe(`http://blog-x7k2p1.localhost:8080${signIn}`)
    expect(siteUrl(project)).toBe('http://blog-x7k2p1.localhost:8080/')
    expect(usesDefaultUrl(project)).toBe(true)
  })

  it.each(['pending', 'creating', 'failed_creating', 'deleting', 'deleted'] as const)(
    'is null while the project is %s',
    (state) => {
      expect(accessUrl({ ...withDomain, state })).toBeNull()
      expect(siteUrl({ ...withDomain, state })).toBeNull()
      expect(usesDefaultUrl({ ...withDomain, state })).toBe(false)
    },
  )
})
