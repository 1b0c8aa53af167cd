import { describe, expect, it } from 'vitest'
import { readBaseCommit } from './test-arguments.mjs'

describe('npm test', () => {
  it('without an argument, runs every test', () => {
    expect(readBaseCommit([])).toBeUndefined()
  })

  it('runs the tests of the changes since main, or since a commit', () => {
    expect(readBaseCommit(['--changed'])).toBe('main')
    expect(readBaseCommit(['--changed=HEAD~1'])).toBe('HEAD~1')
  })

  it.each(['--changedfoo', '--changed=', 'teams', '--changed teams'])(
    'rejects other arguments: %s',
    (line) => {
      expect(() => readBaseCommit(line.split(' '))).toThrow('npm test accepts only --changed')
    },
  )
})
