import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createArtifactStore } from '../../artifacts/artifact-store.ts'
import { type ArchiveFiles, zipOf } from '../../testing/archives.ts'
import { createDataFolder } from '../../testing/data-folder.ts'
import { findRuleWarnings } from './rule-warnings.ts'

async function warningsOf(files: ArchiveFiles, host = 'site.test') {
  const limits = { archiveBytes: 1e8, unpackedBytes: 1e8, files: 1000 }
  const store = createArtifactStore(await createDataFolder(), limits)
  const { digest } = await store.receive(Readable.from([zipOf({ 'index.html': 'x', ...files })]))
  await store.unpack(digest)
  return findRuleWarnings(store.filesOf(digest), [host])
}

/** The lines of `_redirects` that never end. */
const endlessLines = async (lines: string[], files: ArchiveFiles = {}) =>
  (await warningsOf({ ...files, _redirects: lines.join('\n') }))
    .filter(({ problem }) => problem === 'endless')
    .map(({ line }) => line)

describe('the warnings of a static site', () => {
  it('name the lines of both files without effect, and are none for other sites', async () => {
    const rules = { _redirects: '/ok /fine\n/only\n', _headers: '/*\n  no colon\n' }
    expect(await warningsOf(rules)).toEqual([
      { file: '_redirects', line: 2, problem: 'target_missing' },
      { file: '_headers', line: 2, problem: 'header_invalid' },
    ])
    expect(await warningsOf({})).toEqual([])
  })

  it('name the line from which on a file is too long to be read', async () => {
    const _headers = `/*\n${'#'.repeat(130_000)}\n# ${'x'.repeat(2_000)}\n`
    expect(await warningsOf({ _headers })).toEqual([
      { file: '_headers', line: 3, problem: 'file_too_long' },
    ])
  })

  it('are none for a file of the largest size', async () => {
    const _headers = `/*\n${'#'.repeat(128 * 1024 - 3)}`
    expect(await warningsOf({ _headers })).toEqual([])
    expect(await warningsOf({ _headers: `${_headers}#` })).toHaveLength(1)
  })
})

describe('a redirect', () => {
  it.each([
    ['to itself', ['/a /a']],
    ['to itself with another query', ['/a /a?b=c']],
    ['to itself on its own host', ['/a https://SITE.test/a']],
    ['to itself with its placeholders', ['/:a/şu/:b /:b/şu/:a']],
    ['into itself, deeper each time', ['/blog/* /blog/x/:splat']],
    ['into itself, doubled each time', ['/* /:splat/:splat']],
    ['to another scheme of the same host', ['http://site.test/* https://site.test/:splat']],
    ['to itself for a parameter', ['/a id=:id /a?id=:id']],
  ])('a redirect that leads %s never ends', async (_, lines) => {
    expect(await endlessLines(lines)).toEqual([1])
  })

  it('a redirect that leads to itself through other rules never ends, and each rule is named', async () => {
    expect(await endlessLines(['/a /b', '/x /y', '/b /c', '/c /a'])).toEqual([1, 3, 4])
  })

  it('a redirect that is forced before a file never ends', async () => {
    expect(await endlessLines(['/* /index.html 301!'])).toEqual([1])
    expect(await endlessLines(['/* /index.html 301'])).toEqual([])
  })

  it('ends when an earlier rule or a file responds', async () => {
    expect(await endlessLines(['/a /b', '/a /a'])).toEqual([])
    expect(await endlessLines(['/a /a'], { 'a.html': 'x' })).toEqual([])
  })

  it('ends on another host, at a rewrite, or at a missing page', async () => {
    const lines = ['/a https://other.test/a', '/b /c', '/c /index.html 200', '/d /e', '/f x=1 /f']
    expect(await endlessLines(lines)).toEqual([])
  })
})

describe('many hostile redirects', () => {
  it('are followed a bounded number of times', async () => {
    const chain = Array.from({ length: 1_000 }, (_, index) => `/${index} /${index + 1}`)
    expect((await endlessLines(chain)).length).toBeLessThanOrEqual(100)
  })
})
