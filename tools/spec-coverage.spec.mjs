import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './command.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')

const text = read('docs/spec-coverage.md')

/** A file's path from the root. An endpoint such as `GET /common/regions` does not match. */
const file = /`([\w-]+\/[\w./-]+\.\w+)`/g
/** A file with a text that it contains: `file` (`text`). */
const part = /`([\w./-]+)` \(`([^`]+)`\)/g
/** A spec with the titles of its tests: `spec`: "title", "title". */
const spec = /`([\w./-]+\.spec\.(?:ts|mjs))`: ("[^"]+"(?:, "[^"]+")*)/g

/**
 * Removes duplicates: a test can prove several sentences.
 * @template {object} Item
 * @param {Item[]} items
 */
const unique = (items) => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]

const files = unique([...text.matchAll(file)].map(([, path = '']) => ({ path })))
const parts = unique([...text.matchAll(part)].map(([, path = '', name = '']) => ({ path, name })))
const tests = unique(
  [...text.matchAll(spec)].flatMap(([, path = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ path, title })),
  ),
)

describe('docs/spec-coverage.md', () => {
  it('names many files and tests', () => {
    expect(files.length).toBeGreaterThan(150)
    expect(tests.length).toBeGreaterThan(200)
  })

  it('names a test in every row, or marks it as untested', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!the specification says|---)/.test(line))
    expect(rows.length).toBeGreaterThan(300)
    expect(rows.filter((row) => !/\.spec\.(?:ts|mjs)`: "|\*\*untested\*\*/.test(row))).toEqual([])
  })

  it('names a test after every spec', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    expect(rows.filter((row) => /\.spec\.(?:ts|mjs)`(?!: ")/.test(row))).toEqual([])
  })

  it('marks the deviations of decision 17 by their numbers, and lists them', () => {
    const record = read('docs/decisions/0017-deviations-from-the-specification.md')
    const decided = [...record.matchAll(/^\| (\d+) \| /gm)].map(([, number]) => Number(number))
    const listed = text.slice(text.indexOf('### Deviations'))
    const numbers = [...listed.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
    const marks = [...text.matchAll(/\*\*differs\*\* \((\d+)\): /g)].map(([, n]) => Number(n))
    expect(decided).toEqual(decided.map((_, index) => index + 1))
    expect(numbers).toEqual(decided)
    expect([...new Set(marks)].sort((a, b) => a - b)).toEqual(decided)
  })

  it('has no mark without a number, and no phrase of its own for a deviation', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| '))
    expect(rows.filter((row) => /\*\*differs\*\*(?! \(\d+\): )|decision 17/.test(row))).toEqual([])
  })

  it.each(files)('names a file that exists: $path', ({ path }) => {
    expect(statSync(join(root, path), { throwIfNoEntry: false })?.isFile()).toBe(true)
  })

  it.each(parts)('names a symbol that its file contains: $path $name', ({ path, name }) => {
    expect(name).toMatch(/^\w+$/)
    expect(read(path).match(/\w+/g)).toContain(name)
  })

  it.each(tests)('names a test that exists: $path $title', ({ path, title }) => {
    expect(read(path)).toContain(title)
  })
})
