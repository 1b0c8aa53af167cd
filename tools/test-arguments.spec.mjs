import { describe, expect, it } from 'vitest'
import { readBaseCommit } from './test-arguments.mjs'

describe('npm test', () => {
  it('runs every test without an argument', () => {
    expect(readBaseCommit([])).toBeUndefined()
  })

  it('runs the tests of the changes since main, or since a commit', () => {
    expect(readBaseCommit(['--changed'])).toBe('main')
    expect(readBaseCommit(['--changed=HEAD~1'])).toBe('HEAD~1')
  })

  it.each([['--changedfoo'], ['--changed='], ['teams'], ['--changed', 'teams']])(
    'rejects other arguments: %s %s',
    (...args) => {
      expect(() => readBaseCommit(args)).toThrow('npm test accepts only --changed')
    },
  )
})
