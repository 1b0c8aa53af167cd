import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, win32 } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { archivePath, FileChanged, listFiles, measurePacked, packFiles } from './pack-folder.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-pack-'))
})
afterEach(() => rm(root, { recursive: true }))

async function write(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

const paths = async () => (await listFiles(root)).map(({ path }) => path)

async function pack() {
  return buffer(packFiles(root, await listFiles(root)))
}

async function entriesOf(archive: Buffer) {
  const entries: Record<string, string> = {}
  const tar = extract()
  tar.on('entry', ({ name, linkname, mode }, content, next) => {
    void buffer(content).then((bytes) => {
      entries[name] = linkname ? `-> ${linkname}` : `${bytes} ${mode?.toString(8)}`
      next()
    })
  })
  tar.end(gunzipSync(archive))
  await new Promise<void>((resolve) => tar.on('finish', () => resolve()))
  return entries
}

describe('a packed folder', () => {
  it('has the files, links and modes, in the order of names', async () => {
    await write({ 'index.html': 'one', 'b/ğ.css': '', 'a.sh': 'run' })
    await chmod(join(root, 'a.sh'), 0o744)
    await symlink('index.html', join(root, 'home.html'))
    expect(await entriesOf(await pack())).toEqual({
      'a.sh': 'run 755',
      'b/ğ.css': ' 644',
      'home.html': '-> index.html',
      'index.html': 'one 644',
    })
  })

  it('is the same archive for the same files, whenever they were written', async () => {
    await write({ 'index.html': 'one', 'long.txt': 'x'.repeat(300_000) })
    const first = await pack()
    await rm(join(root, 'index.html'))
    await write({ 'index.html': 'one' })
    expect(await pack()).toEqual(first)
  })

  it('has the size that is measured before it is sent', async () => {
    await write({ 'index.html': 'one', 'long.txt': 'x'.repeat(300_000) })
    const { signal } = new AbortController()
    expect(await measurePacked(root, await listFiles(root), signal)).toBe((await pack()).length)
  })

  it('has slashes in links on Windows, and the backslashes of names on other systems', () => {
    expect(archivePath('..\\pages\\home.html', win32.sep)).toBe('../pages/home.html')
    expect(archivePath('a\\b.html', posix.sep)).toBe('a\\b.html')
  })

  it('has no repository, packages or secrets', async () => {
    await write({
      'index.html': '',
      '.git/config': '',
      'node_modules/a/index.js': '',
      'sub/node_modules/a/index.js': '',
      '.env': '',
      'sub/.env.production': '',
      '.slipway.json': '',
      '.well-known/security.txt': '',
    })
    expect(await paths()).toEqual(['.well-known/security.txt', 'index.html'])
  })

  it('leaves out files that the .gitignore of their folder or of a parent names', async () => {
    await write({
      '.gitignore': '*.log\n/build\n!keep.log',
      'a.log': '',
      'keep.log': '',
      'build/x': '',
      'sub/build/x': '',
      'sub/.gitignore': '*.map\n!b.log',
      'sub/a.map': '',
      'sub/b.log': '',
      'sub/c.log': '',
      'a.map': '',
    })
    expect(await paths()).toEqual(['a.map', 'keep.log', 'sub/b.log', 'sub/build/x'])
  })

  it('follows .slipwayignore instead of .gitignore, which can include packages', async () => {
    await write({
      '.gitignore': 'dist',
      '.slipwayignore': 'src\n!node_modules',
      'dist/index.js': '',
      'src/index.ts': '',
      'node_modules/a/index.js': '',
      'package.json': '',
    })
    expect(await paths()).toEqual(['dist/index.js', 'node_modules/a/index.js', 'package.json'])
  })

  it('is no longer measured after a cancellation', async () => {
    await write({ 'index.html': 'one' })
    const files = await listFiles(root)
    await expect(measurePacked(root, files, AbortSignal.abort())).rejects.toThrow('aborted')
  })

  it('fails when a file gets shorter while it is packed', async () => {
    await write({ 'index.html': 'x'.repeat(100) })
    const files = await listFiles(root)
    await truncate(join(root, 'index.html'), 10)
    await expect(buffer(packFiles(root, files))).rejects.toBeInstanceOf(FileChanged)
  })
})
