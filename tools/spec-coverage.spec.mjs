import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './command.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')

const text = read('docs/spec-coverage.md')

/** A file from the root of the repository: a call such as `GET /common/regions` is none. */
const file = /`([\w-]+\/[\w./-]+\.\w+)`/g
/** What stands in brackets behind its file: `file` (`name`). */
const part = /`([\w./-]+)` \(`(\w+)`\)/g
/** A spec, and behind its colon the titles of tests. */
const spec = /`([\w./-]+\.spec\.(?:ts|mjs))`: ("[^"]+"(?:, "[^"]+")*)/g

/**
 * What is named, each once: the same test shows several things.
 * @template {object} Named
 * @param {Named[]} all
 */
const unique = (all) => [...new Map(all.map((named) => [JSON.stringify(named), named])).values()]

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

  it('has a test in every row, or says that there is none', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!the specification says|---)/.test(line))
    expect(rows.length).toBeGreaterThan(300)
    expect(rows.filter((row) => !/\.spec\.(?:ts|mjs)`: "|\*\*untested\*\*/.test(row))).toEqual([])
  })

  it('names a test wherever it names a spec', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    expect(rows.filter((row) => /\.spec\.(?:ts|mjs)`(?!: ")/.test(row))).toEqual([])
  })

  it.each(files)('names a file that exists: $path', ({ path }) => {
    expect(statSync(join(root, path), { throwIfNoEntry: false })?.isFile()).toBe(true)
  })

  it.each(parts)('names a part of its file: $path $name', ({ path, name }) => {
    expect(read(path)).toContain(name)
  })

  it.each(tests)('names a test that exists: $path $title', ({ path, title }) => {
    expect(read(path)).toContain(title)
  })
})
