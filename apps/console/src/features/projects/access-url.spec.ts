import { describe, expect, it } from 'vitest'
import { accessUrl } from './access-url.ts'

const signIn = '/yk/app/auth/oauth/cloud'

const site = {
  state: 'ready',
  failure: null,
  domain: null,
  defaultUrl: 'http://blog-x7k2p1.localhost:8080',
} as const

describe('access link', () => {
  it('leads to the default URL of a project without a domain', () => {
    expect(accessUrl(site)).toBe(`http://blog-x7k2p1.localhost:8080${signIn}`)
  })

  it('leads to the custom domain, under the scheme and port of the default URL', () => {
    expect(accessUrl({ ...site, domain: 'www.example.com' })).toBe(
      `http://www.example.com:8080${signIn}`,
    )
    expect(
      accessUrl({ ...site, domain: 'www.example.com', defaultUrl: 'https://blog.sites.example' }),
    ).toBe(`https://www.example.com${signIn}`)
  })

  it('leads to the default URL until the domain is routed', () => {
    const moving = { ...site, domain: 'www.example.com' }
    expect(accessUrl({ ...moving, state: 'modifying' })).toBe(
      `http://blog-x7k2p1.localhost:8080${signIn}`,
    )
    expect(accessUrl({ ...moving, failure: 'domain_not_routed' })).toBe(
      `http://blog-x7k2p1.localhost:8080${signIn}`,
    )
  })

  it.each(['pending', 'creating', 'failed_creating', 'deleting', 'deleted'] as const)(
    'leads nowhere while the project is %s',
    (state) => {
      expect(accessUrl({ ...site, state })).toBeNull()
    },
  )
})
