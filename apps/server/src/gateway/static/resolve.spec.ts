import { describe, expect, it } from 'vitest'
import { parseRedirects } from './redirects.ts'
import { resolve } from './resolve.ts'

const file = { size: 1, digest: 'x', encodings: {} }
const site = (names: string[], redirects = '') => ({
  manifest: new Map(names.map((name) => [name, file])),
  redirects: parseRedirects(redirects).rules,
})

const names = [
  'index.html',
  'about.html',
  'docs/index.html',
  'a b/ü.txt',
  '.well-known/security.txt',
  '.env',
  'docs/.git/config',
  '_redirects',
  '404.html',
]

describe('a path of a static site', () => {
  it.each([
    ['/', 'index.html', 200],
    ['/index.html', 'index.html', 200],
    ['/about', 'about.html', 200],
    ['/about?x=1', 'about.html', 200],
    ['/docs/', 'docs/index.html', 200],
    ['/a%20b/%C3%BC.txt', 'a b/ü.txt', 200],
    ['/a%20b/u%CC%88.txt', 'a b/ü.txt', 200],
    ['/.well-known/security.txt', '.well-known/security.txt', 200],
    ['/missing', '404.html', 404],
    ['/.env', '404.html', 404],
    ['/docs/.git/config', '404.html', 404],
    ['/_redirects', '404.html', 404],
    ['/../etc/passwd', '404.html', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', '404.html', 404],
    ['/__proto__', '404.html', 404],
    ['//docs', '404.html', 404],
    ['/about%2F', '404.html', 404],
    ['/%2F', '404.html', 404],
  ])('%s is %s with status %i', (path, expected, status) => {
    expect(resolve(site(names), path)).toEqual({ kind: 'file', path: expected, status })
  })

  it.each([
    ['/docs', '/docs/'],
    ['/docs?a=1', '/docs/?a=1'],
    ['/about/', '/about'],
  ])('%s leads to %s, so that relative links work', (path, to) => {
    expect(resolve(site(names), path)).toEqual({ kind: 'redirect', to, status: 301 })
  })

  it('is missing without a 404.html, and malformed when it cannot be decoded', () => {
    expect(resolve(site(['index.html']), '/x')).toEqual({ kind: 'missing' })
    expect(resolve(site(names), '/%E0%A4%A')).toEqual({ kind: 'malformed' })
    expect(resolve(site(names), '/a%00b')).toEqual({ kind: 'malformed' })
  })

  it('is a file before a rule, unless the rule is forced', () => {
    const rules = '/about /new\n/docs/* /moved 302!\n/* /index.html 200'
    expect(resolve(site(names, rules), '/about')).toMatchObject({ path: 'about.html' })
    expect(resolve(site(names, rules), '/docs/')).toEqual({
      kind: 'redirect',
      to: '/moved',
      status: 302,
    })
    expect(resolve(site(names, rules), '/app/route')).toEqual({
      kind: 'file',
      path: 'index.html',
      status: 200,
    })
  })
})
