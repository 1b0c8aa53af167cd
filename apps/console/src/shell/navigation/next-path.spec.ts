import { describe, expect, it } from 'vitest'
import { returnPath, safeNextPath } from './next-path.ts'

const origin = 'https://console.example.com'

describe('safeNextPath', () => {
  it.each([
    '/projects',
    '/projects/view/a%2Fb?tab=1#top',
    '/',
    '/auth/code?client_id=shop&state=a+b',
    '/auth/code/?a=1',
  ])('follows %s', (next) => {
    expect(safeNextPath(next, origin)).toBe(next)
  })

  it.each([
    undefined,
    '',
    'projects',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/.\\/evil.example',
    '/%2e//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/auth/login?next=/auth/login',
    '/projects/../auth/login',
    '/auth/code/../login',
    '/auth/code/x',
    '/auth/login/oauth?state=a&token=b',
  ])('does not follow %s', (next) => {
    expect(safeNextPath(next, origin)).toBeNull()
  })
})

describe('returnPath', () => {
  const at = (pathname: string, search = {}) => ({ pathname, search, href: `${pathname}?here` })

  it('is the page that people are sent away from', () => {
    expect(returnPath(at('/projects/create'))).toBe('/projects/create?here')
    expect(returnPath(at('/auth/code'))).toBe('/auth/code?here')
  })

  it('is what was wanted before, on a way in', () => {
    expect(returnPath(at('/auth/ask-verify', { next: '/teams' }))).toBe('/teams')
    expect(returnPath(at('/auth/login'))).toBeUndefined()
    expect(returnPath(at('/auth/login', { next: ['/a', '/b'] }))).toBeUndefined()
  })
})
