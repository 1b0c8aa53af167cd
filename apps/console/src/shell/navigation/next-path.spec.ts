import { describe, expect, it } from 'vitest'
import { nextPathOf, safeNextPath } from './next-path.ts'

const origin = 'https://console.example.com'

describe('safeNextPath', () => {
  it.each([
    '/projects',
    '/projects/view/a%2Fb?tab=1#top',
    '/',
    '/auth/code?client_id=shop&state=a+b',
    '/auth/code/?a=1',
  ])('accepts %s', (next) => {
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
  ])('rejects %s', (next) => {
    expect(safeNextPath(next, origin)).toBeNull()
  })
})

describe('nextPathOf', () => {
  const locationOf = (pathname: string, search = {}) => ({
    pathname,
    search,
    href: `${pathname}?here`,
  })

  it('is the page that the user is redirected from', () => {
    expect(nextPathOf(locationOf('/projects/create'))).toBe('/projects/create?here')
    expect(nextPathOf(locationOf('/auth/code'))).toBe('/auth/code?here')
  })

  it('is the existing next parameter on an auth page', () => {
    expect(nextPathOf(locationOf('/auth/ask-verify', { next: '/teams' }))).toBe('/teams')
    expect(nextPathOf(locationOf('/auth/login'))).toBeUndefined()
    expect(nextPathOf(locationOf('/auth/login', { next: ['/a', '/b'] }))).toBeUndefined()
  })
})
