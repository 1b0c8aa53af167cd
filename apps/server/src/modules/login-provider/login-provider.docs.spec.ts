import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const text = readFileSync(`${root}docs/security.md`, 'utf8')
const specs = globSync(
  ['apps/*/src/**/*.spec.{ts,tsx}', 'packages/*/src/**/*.spec.ts', 'e2e/**/*.ts'],
  {
    cwd: root,
  },
)

/** The tests in the document: a file name or the end of its path, followed by titles. */
const quotedTests = [...text.matchAll(/`([\w./-]+\.spec\.ts)`((?:,? "[^"]+")*)/g)].flatMap(
  ([, file = '', titles = '']) => {
    const quoted = [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title)
    return (quoted.length > 0 ? quoted : ['']).map((title) => [file, title] as const)
  },
)

describe('docs/security.md', () => {
  it('names many tests', () => {
    expect(quotedTests.length).toBeGreaterThan(50)
  })

  it.each(quotedTests)('names a test that exists: %s %j', (file, title) => {
    const matching = specs.filter((path) => `/${path}`.endsWith(`/${file}`))
    expect(matching).toHaveLength(1)
    expect(readFileSync(`${root}${matching[0]}`, 'utf8')).toContain(title)
  })
})
