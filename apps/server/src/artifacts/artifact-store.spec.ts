import { createHash } from 'node:crypto'
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type ArchiveFiles, tarOf, zipOf } from '../testing/archives.ts'
import { createDataFolder } from '../testing/data-folder.ts'
import { makeDeepFolder } from '../testing/deep-folder.ts'
import { ArchiveError, DiskFullError } from './archive-error.ts'
import { createArtifactStore } from './artifact-store.ts'

const limits = { archiveBytes: 1_000_000, unpackedBytes: 5_000_000, files: 100 }

async function createStore() {
  const folder = await createDataFolder()
  const store = createArtifactStore(folder, limits)
  const unpack = async (archive: Uint8Array) => {
    const { digest, endReservation } = await store.receive(Readable.from([archive]))
    await endReservation()
    return { digest, manifest: await store.unpack(digest), files: store.filesOf(digest).files }
  }
  /** Unpacks an archive that must be rejected: returns its problem, and expects no files left. */
  const problemOf = async (archive: Uint8Array) => {
    const error = await unpack(archive).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof ArchiveError)) throw error ?? new Error('the archive was accepted')
    expect(await store.list()).toEqual([])
    expect(await readdir(join(folder, 'artifacts/incoming'))).toEqual([])
    return [error.problem, error.file]
  }
  return { folder, store, unpack, problemOf }
}

const page = '<!doctype html><title>Example</title>'

describe('an unpacked artifact', () => {
  it('has the files of a zip and of a tar.gz, read-only, with their digests', async () => {
    const { unpack } = await createStore()
    const files = { 'index.html': page, 'css/site.css': 'p { color: red }' }
    for (const archive of [zipOf(files), await tarOf(files)]) {
      const unpacked = await unpack(archive)
      expect([...unpacked.manifest.keys()]).toEqual(['css/site.css', 'index.html'])
      expect(await readFile(join(unpacked.files, 'index.html'), 'utf8')).toBe(page)
      expect((await stat(join(unpacked.files, 'index.html'))).mode & 0o222).toBe(0)
      expect(unpacked.manifest.get('css/site.css')).toEqual({
        size: 16,
        digest: createHash('sha256').update('p { color: red }').digest('hex'),
        encodings: {},
      })
    }
  })

  it('omits a single top-level folder, and the files that operating systems add', async () => {
    const { unpack } = await createStore()
    const { manifest } = await unpack(
      zipOf({
        'site/index.html': page,
        'site/.DS_Store': 'x',
        '__MACOSX/site/._index.html': 'x',
        'site/img/Thumbs.db': 'x',
      }),
    )
    expect([...manifest.keys()]).toEqual(['index.html'])
  })

  it('has names in any script, normalized to NFC as browsers request them', async () => {
    const { unpack } = await createStore()
    const decomposed = 'résumé.html'.normalize('NFD')
    const names = ['Ağ-şehri.html', '日本語.html', 'עברית.html', '🦊.html']
    const files = Object.fromEntries([...names, decomposed].map((name) => [name, page]))
    for (const archive of [zipOf(files), await tarOf(files)])
      expect(new Set((await unpack(archive)).manifest.keys())).toEqual(
        new Set([...names, 'résumé.html']),
      )
  })

  it('has compressed copies of the files that compression shrinks', async () => {
    const { store, unpack } = await createStore()
    const text = 'body { margin: 0 }\n'.repeat(500)
    const { digest, manifest } = await unpack(zipOf({ 'index.html': page, 'a/site.css': text }))
    const { size, encodings } = manifest.get('a/site.css') ?? {}
    expect(encodings?.br).toBeLessThan((size ?? 0) / 10)
    expect(encodings?.gzip).toBeLessThan((size ?? 0) / 10)
    const copy = await readFile(join(store.filesOf(digest).compressed, 'a/site.css.br'))
    expect(brotliDecompressSync(copy).toString()).toBe(text)
  })

  it('keeps links to its own files', async () => {
    const { unpack } = await createStore()
    const files: ArchiveFiles = {
      'a/index.html': page,
      'b/home.html': { linkTo: '../a/index.html' },
    }
    for (const archive of [zipOf(files), await tarOf(files)])
      expect((await unpack(archive)).manifest.get('b/home.html')?.size).toBe(page.length)
  })

  it('is stored once for any number of uploads of its archive', async () => {
    const { store, unpack } = await createStore()
    const archive = zipOf({ 'index.html': page })
    const all = await Promise.all([unpack(archive), unpack(archive), unpack(archive)])
    expect(new Set(all.map(({ digest }) => digest)).size).toBe(1)
    expect(await store.list()).toHaveLength(1)
  })

  it.runIf(process.getuid?.() === 0)(
    'is unpacked again if a process without root has put a folder in its place',
    async () => {
      const { store } = await createStore()
      const { digest } = await store.receive(Readable.from([zipOf({ 'index.html': page })]))
      const { folder, files, manifest } = store.filesOf(digest)
      await mkdir(files, { recursive: true })
      await writeFile(join(files, 'index.html'), 'of another')
      await writeFile(manifest, '')
      for (const path of [folder, files]) await chown(path, 29_001, 29_001)
      expect([...(await store.unpack(digest)).keys()]).toEqual(['index.html'])
      expect(await readFile(join(files, 'index.html'), 'utf8')).toBe(page)
      expect((await stat(folder)).uid).toBe(0)
    },
  )

  it('has folders in at most 64 levels', async () => {
    const pathOf = (levels: number) => `${'a/'.repeat(levels - 1)}index.html`
    for (const pack of [zipOf, tarOf]) {
      const files = { [pathOf(64)]: page, 'b.html': page }
      expect((await (await createStore()).unpack(await pack(files))).manifest.size).toBe(2)
      const { problemOf } = await createStore()
      expect(await problemOf(await pack({ [pathOf(65)]: page, 'b.html': page }))).toEqual([
        'name_invalid',
        pathOf(65),
      ])
    }
  })

  it('has at most as many folders as files, listed in the archive or not', async () => {
    const { problemOf } = await createStore()
    const files = Object.fromEntries(
      [1, 2, 3].map((number) => [`${number}/${'a/'.repeat(49)}index.html`, page]),
    )
    for (const pack of [zipOf, tarOf])
      expect(await problemOf(await pack(files))).toEqual(['too_many_files', undefined])
  })

  it('has few records in the headers of a tar', async () => {
    const { problemOf } = await createStore()
    const records = Object.fromEntries(Array.from({ length: 101 }, (_, key) => [`key${key}`, 'x']))
    const archive = await tarOf({ 'index.html': page }, [
      { name: 'large', type: 'directory', pax: records },
    ])
    expect(await problemOf(archive)).toEqual(['damaged', undefined])
  })

  it('can be removed twice', async () => {
    const { store, unpack } = await createStore()
    const { digest } = await unpack(zipOf({ 'index.html': page }))
    await store.remove(digest)
    await store.remove(digest)
    expect(await store.list()).toEqual([])
  })
})

describe('the artifact store', () => {
  it.each([
    ['an absolute path', { '/etc/cron.d/x': 'x' }, ['path_outside', '/etc/cron.d/x']],
    ['a path that leaves the folder', { 'a/../../x': 'x' }, ['path_outside', 'a/../../x']],
    ['a Windows path that leaves it', { 'a\\..\\..\\x': 'x' }, ['path_outside', 'a\\..\\..\\x']],
    ['a drive letter', { 'C:x': 'x' }, ['path_outside', 'C:x']],
    ['an absolute link', { a: { linkTo: '/etc/passwd' } }, ['link_outside', 'a → /etc/passwd']],
    [
      'a link that leaves the folder',
      { 'a/b': { linkTo: '../../x' }, c: 'x' },
      ['link_outside', 'a/b → ../../x'],
    ],
    [
      'a link through the only top-level folder',
      { 'site/a': { linkTo: '../site/index.html' }, 'site/index.html': 'x' },
      ['link_outside', 'a → ../site/index.html'],
    ],
    ['a link to nothing', { a: { linkTo: 'b' }, c: 'x' }, ['link_outside', 'a → b']],
    [
      'a link that leaves it through another link',
      { 'd/e/f': 'x', a: { linkTo: 'd/e' }, b: { linkTo: 'a/../../../x' } },
      ['link_outside', 'b → a/../../../x'],
    ],
    [
      'a link to its parent folder',
      { 'a/b': { linkTo: '../a' }, 'a/c': 'x' },
      ['link_outside', 'a/b'],
    ],
    ['a file below a link', { a: { linkTo: 'b' }, 'a/c': 'x' }, ['name_twice', 'a/c']],
    [
      'the same name in another case',
      { 'Index.html': 'x', 'index.html': 'x' },
      ['name_twice', 'index.html'],
    ],
    [
      'the same name with an accent composed and decomposed',
      { 'caf\u00e9.html': 'x', 'cafe\u0301.html': 'x' },
      ['name_twice', 'caf\u00e9.html'],
    ],
    ['a file where a folder is', { a: 'x', 'a/b': 'x' }, ['name_twice', 'a/b']],
    ['a name with a control character', { 'a\nb': 'x' }, ['name_invalid', 'a\nb']],
    ['a name of 256 bytes', { ['x'.repeat(256)]: 'x' }, ['name_invalid', 'x'.repeat(256)]],
    ['no file', { 'empty/': '' }, ['empty', undefined]],
    [
      'too many files',
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.txt`, 'x'])),
      ['too_many_files', undefined],
    ],
    [
      'too much to unpack',
      { 'a.txt': 'x'.repeat(3_000_000), 'b.txt': 'x'.repeat(2_000_001) },
      ['too_large_unpacked', undefined],
    ],
  ] as [string, ArchiveFiles, unknown[]][])('rejects %s', async (_, files, problem) => {
    const { problemOf } = await createStore()
    expect(await problemOf(zipOf(files))).toEqual(problem)
    const isFolder = 'empty/' in files
    if (!isFolder) expect(await problemOf(await tarOf(files))).toEqual(problem)
  })

  it.each(['character-device', 'block-device', 'fifo', 'link'] as const)(
    'rejects a tar entry of type %s',
    async (type) => {
      const { problemOf } = await createStore()
      const archive = await tarOf({ 'index.html': page }, [{ name: 'special', type }])
      expect(await problemOf(archive)).toEqual(['special_file', 'special'])
    },
  )

  it('rejects a name that is not UTF-8', async () => {
    const { problemOf } = await createStore()
    const archive = zipOf({ 'caf?.html': page })
    const wrong = Buffer.from(archive.toString('latin1').replaceAll('caf?', 'caf\xe9'), 'latin1')
    expect(await problemOf(wrong)).toEqual(['name_not_utf8', 'café.html'])
  })

  it('rejects another format, and an archive that ends early or is damaged', async () => {
    const { problemOf } = await createStore()
    expect(await problemOf(Buffer.from(page))).toEqual(['unknown_format', undefined])
    const files = { 'index.html': page.repeat(50), 'a.bin': Buffer.alloc(5000, 'abc') }
    for (const archive of [zipOf(files), await tarOf(files)]) {
      expect(await problemOf(archive.subarray(0, archive.length / 2))).toEqual([
        'damaged',
        undefined,
      ])
      const damaged = Buffer.from(archive)
      damaged.fill(0x55, 60, 90)
      expect((await problemOf(damaged))[0]).toMatch(
        /^(damaged|unknown_format|name_invalid|encrypted)$/,
      )
    }
    expect(await problemOf(gzipSync('not a tar'.repeat(100)))).toEqual(['damaged', undefined])
  })

  it('rejects a zip with a file whose checksum is wrong', async () => {
    const { problemOf } = await createStore()
    const archive = zipOf({ 'index.html': page })
    // The checksum in the central directory (APPNOTE 4.3.12).
    const position = archive.indexOf('PK\u0001\u0002') + 16
    archive.writeUInt32LE((archive.readUInt32LE(position) ^ 1) >>> 0, position)
    expect(await problemOf(archive)).toEqual(['damaged', 'index.html'])
  })

  it('rejects an archive over the size limit before its upload ends, and leaves no file', async () => {
    const { folder, store } = await createStore()
    let sent = 0
    const upload = Readable.from(
      (function* () {
        for (;;) {
          sent += 100_000
          yield Buffer.alloc(100_000)
        }
      })(),
    )
    await expect(store.receive(upload)).rejects.toThrow('too_large')
    expect(sent).toBeLessThan(2_000_000)
    expect(await readdir(join(folder, 'artifacts/incoming'))).toEqual([])
  })

  it('rejects an aborted upload', async () => {
    const { folder, store } = await createStore()
    const upload = new Readable({ read() {} })
    upload.push(zipOf({ 'index.html': page }).subarray(0, 50))
    const received = store.receive(upload)
    upload.destroy(new Error('aborted'))
    await expect(received).rejects.toThrow('aborted')
    expect(await readdir(join(folder, 'artifacts/incoming'))).toEqual([])
  })
})

describe('a disk with less room than the largest archive', () => {
  it('gets no upload', async () => {
    const freeBytes = { now: limits.archiveBytes - 1 }
    const store = createArtifactStore(await createDataFolder(), limits, async () => freeBytes.now)
    const upload = () => Readable.from([zipOf({ 'index.html': page })])
    await expect(store.receive(upload())).rejects.toThrow(DiskFullError)
    freeBytes.now++
    expect((await store.receive(upload())).bytes).toBeGreaterThan(0)
  })
})

describe('a disk with too little room for the files of an archive', () => {
  it('gets none of them, and leaves the room of an upload free', async () => {
    const freeBytes = { now: 2 * limits.archiveBytes }
    const folder = await createDataFolder()
    const store = createArtifactStore(folder, limits, async () => freeBytes.now)
    const archive = zipOf({ 'index.html': Buffer.alloc(limits.archiveBytes / 3 + 1) })
    const { digest, endReservation } = await store.receive(Readable.from([archive]))
    await endReservation()
    await expect(store.unpack(digest)).rejects.toThrow(DiskFullError)
    expect(await readdir(join(folder, 'artifacts/incoming'))).toEqual([])
    freeBytes.now += 3
    expect((await store.unpack(digest)).size).toBe(1)
  })

  it('rejects an archive that is too large for any disk as too large', async () => {
    const { problemOf } = await createStore()
    const archive = zipOf({ 'index.html': Buffer.alloc(limits.unpackedBytes + 1) })
    expect(await problemOf(archive)).toEqual(['too_large_unpacked', undefined])
  })
})

describe('removeAbandoned', () => {
  it('removes the files of aborted uploads after an hour, and keeps newer archives', async () => {
    const { folder, store } = await createStore()
    const { digest } = await store.receive(Readable.from([zipOf({ 'index.html': page })]))
    await writeFile(join(folder, 'artifacts/incoming/left.upload'), 'x')
    const now = Date.now()
    await store.removeAbandoned(now)
    expect((await store.unpack(digest)).size).toBe(1)
    await store.removeAbandoned(now + 2 * 3_600_000)
    expect(await readdir(join(folder, 'artifacts/incoming'))).toEqual([])
  })

  it('removes folders that a program nested deeper than a path may be long', async () => {
    const { folder, store } = await createStore()
    const left = join(folder, 'artifacts/incoming/left.removed')
    await mkdir(left, { recursive: true })
    makeDeepFolder(left)
    await store.removeAbandoned(Date.now() + 2 * 3_600_000)
    expect(await readdir(join(folder, 'artifacts/incoming'))).toEqual([])
  })
})
