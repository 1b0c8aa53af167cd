import { describe, expect, it } from 'vitest'
import { findHeaders, parseHeaderRules } from './header-rules.ts'

const text = `
# all pages
/*
  X-Frame-Options: DENY
  Link: </a.css>; rel=preload
/blog/:slug
  Link: </b.css>; rel=preload
`

describe('the rules of _headers', () => {
  it('apply to the paths that match, and join values of one header', () => {
    const { rules } = parseHeaderRules(text)
    expect(findHeaders(rules, '/blog/first')).toEqual({
      'x-frame-options': 'DENY',
      link: '</a.css>; rel=preload, </b.css>; rel=preload',
    })
    expect(findHeaders(rules, '/')).toEqual({
      'x-frame-options': 'DENY',
      link: '</a.css>; rel=preload',
    })
  })

  it('ignore headers that only the gateway sets, and malformed lines', () => {
    const { rules, ignored } = parseHeaderRules(
      '/*\n  Content-Length: 0\n  Set-Cookie: a=b\n  Bad Name: x\n  no colon\n  X-A: a\u0000b\n  X-B: ok\nnowhere\n  X-C: y\n',
    )
    expect(findHeaders(rules, '/')).toEqual({ 'x-b': 'ok' })
    expect(ignored).toEqual([
      { line: 2, problem: 'header_reserved' },
      { line: 3, problem: 'header_reserved' },
      { line: 4, problem: 'header_invalid' },
      { line: 5, problem: 'header_invalid' },
      { line: 6, problem: 'header_invalid' },
      { line: 8, problem: 'path_invalid' },
      { line: 9, problem: 'path_missing' },
    ])
  })

  it('may be named like a property of `Object.prototype`', () => {
    const { rules } = parseHeaderRules('/*\n  constructor: x\n  __proto__: y\n')
    expect({ ...findHeaders(rules, '/') }).toEqual(
      Object.fromEntries([
        ['constructor', 'x'],
        ['__proto__', 'y'],
      ]),
    )
  })

  it('ignore headers that instruct a proxy in front of the gateway', () => {
    const { rules } = parseHeaderRules(
      '/*\n  X-Accel-Redirect: /etc/passwd\n  X-Sendfile: /etc/passwd\n  Proxy-Authenticate: Basic\n  X-Ok: y\n',
    )
    expect({ ...findHeaders(rules, '/') }).toEqual({ 'x-ok': 'y' })
  })
})
