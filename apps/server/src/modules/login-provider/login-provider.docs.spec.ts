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

/** Every test the document names: a file, or the end of its path, and the titles after it. */
const named = [...text.matchAll(/`([\w./-]+\.spec\.ts)`((?:,? "[^"]+")*)/g)].flatMap(
  ([, file = '', titles = '']) => {
    const found = [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title)
    return (found.length > 0 ? found : ['']).map((title) => [file, title] as const)
  },
)

describe('docs/security.md', () => {
  it('names many tests', () => {
    expect(named.length).toBeGreaterThan(50)
  })

  it.each(named)('names a test that exists: %s %j', (file, title) => {
    const found = specs.filter((path) => `/${path}`.endsWith(`/${file}`))
    expect(found).toHaveLength(1)
    expect(readFileSync(`${root}${found[0]}`, 'utf8')).toContain(title)
  })
})
