import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './command.mjs'

const text = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8')

/** Every path the document names; words without a slash are functions and calls. */
const paths = [...text.matchAll(/`([\w.-]+\/[\w./-]+\.\w+)`/g)].map(([, path = '']) => path)

/** Every function that stands in brackets after its file. */
const functions = [...text.matchAll(/`([\w./-]+)` \(`(\w+)`\)/g)].map(
  ([, path = '', name = '']) => [path, name],
)

/** Every test it names: a spec, and each title behind its colon. */
const tests = [...text.matchAll(/`([\w./-]+\.spec\.(?:ts|mjs))`:((?:,? "[^"]+")+)/g)].flatMap(
  ([, path = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [path, title]),
)

const unique = (/** @type {string[][]} */ all) => [
  ...new Map(all.map((each) => [each.join('\n'), each])).values(),
]

describe('docs/spec-coverage.md', () => {
  it('names many files and tests', () => {
    expect(new Set(paths).size).toBeGreaterThan(150)
    expect(unique(tests).length).toBeGreaterThan(200)
  })

  it.each([...new Set(paths)])('names a file that exists: %s', (path) => {
    expect(existsSync(join(root, path)) && statSync(join(root, path)).isFile()).toBe(true)
  })

  it.each(unique(functions))('names a part of a file that is there: %s %s', (path, name) => {
    expect(readFileSync(join(root, path), 'utf8')).toContain(name)
  })

  it.each(unique(tests))('names a test that exists: %s %j', (path, title) => {
    expect(readFileSync(join(root, path), 'utf8')).toContain(title)
  })

  it('has a test behind each spec, or says why there is none', () => {
    const bare = text.split('\n').filter((line) => /\.spec\.(ts|mjs)`(?!:)/.test(line))
    expect(bare.filter((line) => line.startsWith('|'))).toEqual([])
  })
})
