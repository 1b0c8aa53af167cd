import { describe, expect, it } from 'vitest'
import { changelogProblems, checkChangelog } from './check-changelog.mjs'

/** @param {string[]} entries */
const changelog = (...entries) => `# Changelog\n\n## [Unreleased]\n\n${entries.join('\n')}\n`

describe('the check of the changelog', () => {
  it('accepts CHANGELOG.md', () => {
    expect(checkChangelog()).toEqual([])
  })

  it('accepts entries of at most 200 characters', () => {
    expect(changelogProblems(changelog('- Short.', `- ${'ş'.repeat(198)}`))).toEqual([])
  })

  it.each([
    ['is longer', `- ${'x'.repeat(199)}`, 'an entry has more than 200 characters'],
    ['continues on another line', '  so does this.', 'an entry is one line'],
    ['exists twice', '- Short.', 'this entry exists twice'],
  ])('rejects an entry that %s', (_, line, problem) => {
    const problems = changelogProblems(changelog('- Short.', line))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`CHANGELOG.md:6: ${problem}`)
  })
})
