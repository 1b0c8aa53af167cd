import { describe, expect, it } from 'vitest'
import { findRedirect, parseRedirects } from './redirects.ts'

const follow = (text: string, path: string, search = '') =>
  findRedirect(parseRedirects(text).rules, path, search, false)

describe('a rule of _redirects', () => {
  it.each([
    ['/old /new', '/old', '', '/new', 301],
    ['/old /new 302', '/old/', '?a=b', '/new?a=b', 302],
    ['/blog/* /news/:splat', '/blog/2026/first post', '', '/news/2026/first%20post', 301],
    ['/blog/* /news', '/blog', '', '/news', 301],
    ['/:year/:slug /posts/:slug?year=:year 307', '/2026/hello', '', '/posts/hello?year=2026', 307],
    ['/shop id=:id /products/:id', '/shop', '?id=7', '/products/7', 301],
    ['/out https://example.com/a', '/out', '', 'https://example.com/a', 301],
    ['https://www.example.com/x /y', '/x', '', '/y', 301],
    ['/* /index.html 200', '/any/path', '', '/index.html', 200],
  ])('%s leads %s%s to %s', (text, path, search, to, status) => {
    expect(follow(text, path, search)).toEqual({ to, status })
  })

  it('is skipped when the path or a query parameter differs', () => {
    expect(follow('/shop id=:id /products/:id', '/shop')).toBeNull()
    expect(follow('/shop a=1 /x', '/shop', '?a=2')).toBeNull()
    expect(follow('/old /new', '/older')).toBeNull()
    expect(follow('/a.b /x', '/aXb')).toBeNull()
  })

  it('compares the first value of a query parameter', () => {
    expect(follow('/shop id=:id /products/:id', '/shop', '?id=7&id=8')?.to).toBe('/products/7')
    expect(follow('/shop id=8 /x', '/shop', '?id=7&id=8')).toBeNull()
  })

  it('takes precedence over later rules, and comments are ignored', () => {
    const text = '# moved\n/a /first # kept\n\n/a /second\n'
    expect(follow(text, '/a')).toEqual({ to: '/first', status: 301 })
  })

  it('never leads to another host through a placeholder', () => {
    expect(follow('/go/* /:splat', '/go//evil.example')?.to).toBe('/evil.example')
    expect(follow('/go/* /x/:splat', '/go/a\r\nb')?.to).toBe('/x/a%0D%0Ab')
  })
})

describe('hostile rules', () => {
  it('may name a property of every object as a placeholder', () => {
    expect(follow('/a /:constructor/:toString', '/a')?.to).toBe('/:constructor/:toString')
    expect(follow('/:__proto__ /x/:__proto__', '/a')).not.toBeNull()
  })

  it('lead to a target outside ASCII by its encoded form', () => {
    expect(follow('/a /şehir/\u{1f680}', '/a')?.to).toBe('/%C5%9Fehir/%F0%9F%9A%80')
    expect(follow('/a https://example.com/ç\u0000', '/a')?.to).toBe('https://example.com/%C3%A7%00')
  })

  it('cost no more for a long path than for a short one', () => {
    const { rules } = parseRedirects('/:a/:b/x* /y\n/:a/x /y\n'.repeat(500))
    const costOnce = (path: string) => {
      const before = process.cpuUsage()
      for (let run = 0; run < 20; run++) findRedirect(rules, path, '', false)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    // The lowest of several measurements: the others include garbage collection and compilation.
    const costOf = (path: string) => Math.min(...Array.from({ length: 5 }, () => costOnce(path)))
    costOf('/warm/up')
    const short = Math.max(costOf('/short'), 1_000)
    for (const path of [`/${'a'.repeat(16_000)}`, `/${'a/'.repeat(8_000)}b`])
      expect(costOf(path) / short, path.slice(0, 10)).toBeLessThan(30)
  })
})

describe('a thousand rules that match the path', () => {
  it('read the values of the path once, for the rule whose query matches', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `/* z=${index} /to/:splat`).join('\n')
    let reads = 0
    const rules = parseRedirects(text).rules.map((rule) => ({
      ...rule,
      path: {
        ...rule.path,
        valuesOf(segments: readonly string[]) {
          reads += 1
          return rule.path.valuesOf(segments)
        },
      },
    }))
    expect(findRedirect(rules, '/a/b', '?z=999', false)?.to).toBe('/to/a/b')
    expect(reads).toBe(1)
  })
})

describe('a target that would be longer than a request may be', () => {
  it.each([
    ['repeats a long value', `/* ${'/:splat'.repeat(1_000)}`, `/${'a/'.repeat(8_000)}`],
    ['is long itself', `/a /${'b'.repeat(20_000)}`, '/a'],
  ])('is not filled: it %s', (_what, text, path) => {
    expect(follow(text, path)).toBeNull()
  })
})

describe('lines that are not understood', () => {
  it('are ignored, with their numbers and the reason', () => {
    const text = [
      '/api/* https://api.example.com/:splat 200',
      '/ok /fine',
      '/tr/* /:splat 302 Country=tr',
      '/a*b /x',
      'no-slash /x',
      '/only',
      '/x /y 999',
      '/x a /y',
    ].join('\n')
    const { rules, ignored } = parseRedirects(text)
    expect(rules).toHaveLength(1)
    expect(ignored).toEqual([
      { line: 1, problem: 'proxy_unsupported' },
      { line: 3, problem: 'condition_unsupported' },
      { line: 4, problem: 'path_invalid' },
      { line: 5, problem: 'path_invalid' },
      { line: 6, problem: 'target_missing' },
      { line: 7, problem: 'status_invalid' },
      { line: 8, problem: 'query_invalid' },
    ])
  })

  it('include those after the thousandth rule', () => {
    const { rules, ignored } = parseRedirects('/a /b\n'.repeat(1001))
    expect(rules).toHaveLength(1000)
    expect(ignored).toEqual([{ line: 1001, problem: 'too_many_rules' }])
  })
})
