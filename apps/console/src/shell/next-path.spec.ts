import { describe, expect, it } from 'vitest'
import { safeNextPath } from './next-path.ts'

const origin = 'https://console.example.com'

describe('safeNextPath', () => {
  it.each(['/projects', '/projects/view/a%2Fb?tab=1#top', '/'])('follows %s', (next) => {
    expect(safeNextPath(next, origin)).toBe(next)
  })

  it.each([
    undefined,
    '',
    'projects',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/auth/login?next=/auth/login',
    '/projects/../auth/login',
  ])('does not follow %s', (next) => {
    expect(safeNextPath(next, origin)).toBeNull()
  })
})
