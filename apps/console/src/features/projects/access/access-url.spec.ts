import { describe, expect, it } from 'vitest'
import { accessUrl, siteUrl } from './access-url.ts'

const signIn = '/yk/app/auth/oauth/cloud'

const site = {
  runtime: 'starter',
  state: 'ready',
  power: 'running',
  failure: null,
  domain: null,
  domainState: null,
  secure: false,
  hasSite: true,
  isMoving: false,
  sitePorts: { http: 8080, https: 443 },
  defaultUrl: 'http://blog-x7k2p1.localhost:8080',
} as const
const withDomain = {
  ...site,
  domain: 'www.example.com',
  domainState: 'active',
  secure: true,
} as const

describe('siteUrl and accessUrl', () => {
  it('have the default URL of a project without a domain', () => {
    expect(accessUrl(site)).toBe(`http://blog-x7k2p1.localhost:8080${signIn}`)
    expect(siteUrl(site)).toBe('http://blog-x7k2p1.localhost:8080/')
  })

  it.each(['static', 'node', 'php'] as const)(
    'have no sign-in URL for %s, which has no sign-in through the console',
    (runtime) => {
      expect(accessUrl({ ...site, runtime })).toBeNull()
      expect(siteUrl({ ...site, runtime })).toBe('http://blog-x7k2p1.localhost:8080/')
    },
  )

  it('have the primary domain once it is active', () => {
    expect(accessUrl(withDomain)).toBe(`https://www.example.com${signIn}`)
    expect(siteUrl(withDomain)).toBe('https://www.example.com/')
  })

  it.each(['pending', 'creating', 'failed_creating', 'deleting', 'deleted'] as const)(
    'are null while the project is %s',
    (state) => {
      expect(accessUrl({ ...withDomain, state })).toBeNull()
      expect(siteUrl({ ...withDomain, state })).toBeNull()
    },
  )
})
