import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { knownMigrations } from '../db/migrate.ts'
import { type ArchiveEntry, fileEntry, packArchive, readArchive } from './archive.ts'
import { newFolder } from './backup.fixture.ts'
import { createKeyPair } from './backup-key.ts'
import { createFilesRestore, fileEntries } from './data-folder-files.ts'
import type { Manifest } from './manifest.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { createFolderStore } from './stores/folder-store.ts'
import { backupName } from './stores/store.ts'

const manifestOf = (overrides: Partial<Manifest> = {}) => ({
  version: '0.1.0',
  createdAt: '2026-11-22T03:17:00.000Z',
  postgresVersion: '18.4',
  migrations: knownMigrations(),
  tables: [],
  sequences: [],
  jobs: 0,
  files: 0,
  ...overrides,
})

const now = new Date()
const example = [
  fileEntry('files/first', Buffer.from('one'), now),
  fileEntry('files/second', randomBytes(300_000), now),
]

async function* each(entries: readonly ArchiveEntry[]) {
  yield* entries
}

/** An archive in memory, and its key. */
async function pack(entries: readonly ArchiveEntry[] = example, overrides: Partial<Manifest> = {}) {
  const { recipient, identity } = await createKeyPair()
  const stream = await packArchive(each(entries), () => manifestOf(overrides), recipient)
  return { bytes: await buffer(stream), identity }
}

const read = (bytes: Buffer, identity: string, onEntry = async (_: ArchiveEntry) => {}) =>
  readArchive(Readable.from(bytes, { objectMode: false }), identity, onEntry)

describe('an archive', () => {
  it('returns its entries and its manifest', async () => {
    const { bytes, identity } = await pack()
    const paths: string[] = []
    const manifest = await read(bytes, identity, async ({ path }) => void paths.push(path))
    expect(paths).toEqual(['files/first', 'files/second'])
    expect(manifest).toMatchObject({ format: 1, version: '0.1.0' })
  })

  it('is rejected when a byte of it differs', async () => {
    const { bytes, identity } = await pack()
    for (const position of [bytes.length - 1, bytes.length >> 1, 250]) {
      const changed = Buffer.from(bytes)
      changed[position] = (changed[position] ?? 0) ^ 1
      await expect(read(changed, identity)).rejects.toThrow('the backup is damaged or incomplete')
    }
  })

  it('is rejected when its end is missing, also at a boundary of its encrypted chunks', async () => {
    const { bytes, identity } = await pack()
    const header = bytes.indexOf('\n--- ')
    const payload = bytes.indexOf('\n', header + 1) + 1 + 16
    for (const end of [0, 10, payload, payload + 65_552, bytes.length - 1])
      await expect(read(bytes.subarray(0, end), identity)).rejects.toThrow(
        'the backup is damaged or incomplete',
      )
  })

  it('reports a wrong key, a key that can only encrypt, and an incomplete key', async () => {
    const { bytes } = await pack()
    const { identity, recipient } = await createKeyPair()
    await expect(read(bytes, identity)).rejects.toThrow('BACKUP_KEY is not the key of this backup')
    await expect(read(bytes, recipient)).rejects.toThrow('BACKUP_KEY can only encrypt')
    await expect(read(bytes, identity.slice(0, -1))).rejects.toThrow('not a complete age key')
  })

  it('opens with a hybrid key against quantum computers', async () => {
    const { generateHybridIdentity } = await import('age-encryption')
    const identity = await generateHybridIdentity()
    const stream = await packArchive(each(example), () => manifestOf(), identity)
    await expect(read(await buffer(stream), identity)).resolves.toMatchObject({ format: 1 })
  })

  it('an error of an entry is the error of the archive', async () => {
    const { recipient } = await createKeyPair()
    async function* failing() {
      yield* example
      throw new Error('the disk cannot be read')
    }
    const stream = await packArchive(failing(), () => manifestOf(), recipient)
    await expect(buffer(stream)).rejects.toThrow('the disk cannot be read')
  })
})

describe('a restore', () => {
  const log = { fatal() {}, error() {}, warn() {}, info() {}, debug() {}, trace() {} } as never

  async function storeBackup(
    entries: readonly ArchiveEntry[] = example,
    overrides: Partial<Manifest> = {},
  ) {
    const { bytes, identity } = await pack(entries, overrides)
    const folder = await newFolder()
    const name = backupName(now)
    await writeFile(join(folder, name), bytes)
    const dataDir = join(await newFolder(), 'data')
    const restore = (env: { DATA_DIR?: string } = {}) =>
      restoreBackup({
        env: { DATA_DIR: dataDir, DATABASE_URL: undefined, ...env },
        key: identity,
        from: folder,
        queuedEmails: 'hold',
        log,
        say: () => undefined,
      })
    return { path: join(folder, name), folder, name, identity, dataDir, restore }
  }

  it('changes nothing when the backup is damaged', async () => {
    const { path, dataDir, restore } = await storeBackup()
    await truncate(path, (await stat(path)).size - 1)
    await expect(restore()).rejects.toThrow('damaged or incomplete')
    await expect(stat(dataDir)).rejects.toThrow('ENOENT')
  })

  it('rejects the database of a newer version', async () => {
    const migrations = [...knownMigrations(), { hash: 'later', createdAt: Date.now() }]
    const { folder, name, identity } = await storeBackup(example, { migrations, version: '9.0.0' })
    await expect(checkBackup(await createFolderStore(folder), name, identity)).rejects.toThrow(
      `made by Slipway 9.0.0, whose database has ${migrations.length} migrations, and this version knows ${migrations.length - 1}: update Slipway first`,
    )
  })

  it('rejects a data folder that is not empty', async () => {
    const { dataDir, restore } = await storeBackup()
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'precious'), '')
    await expect(restore()).rejects.toThrow(`${dataDir} is not empty`)
    expect(await readdir(dataDir)).toEqual(['precious'])
  })

  it('rejects files outside the data folder, and a folder with an interrupted restore', async () => {
    const { dataDir, restore } = await storeBackup([
      fileEntry('files/../../evil', Buffer.from('evil'), now),
    ])
    await expect(restore()).rejects.toThrow(
      'a file that does not belong in a data folder: ../../evil',
    )
    expect(await readdir(dataDir)).toContain('restore.unfinished')
    await expect(restore()).rejects.toThrow('did not finish: empty it')
  })
})

describe('the files of a data folder', () => {
  async function collect(folder: string) {
    const contents: Record<string, string> = {}
    for await (const { path, type, content, target } of fileEntries(folder, () => undefined)) {
      const chunks: Buffer[] = []
      for await (const chunk of content) chunks.push(chunk)
      contents[path] = type === 'file' ? Buffer.concat(chunks).toString() : (target ?? type)
    }
    return contents
  }

  it('has neither the database nor the files that only this machine can use', async () => {
    const folder = await newFolder()
    const names = ['database', 'database-socket', 'postgresql-18', 'runtime', 'site-releases']
    for (const name of [...names, 'sockets', 'sites/blog-a1b2c3/data'])
      await mkdir(join(folder, name), { recursive: true })
    const site = join(folder, 'sites/blog-a1b2c3')
    for (const name of ['process.json', 'site.log', 'site.json', 'data/process.json'])
      await writeFile(join(site, name), name)
    for (const name of ['server.lock', 'secrets.key']) await writeFile(join(folder, name), name)
    expect(await collect(folder)).toEqual({
      'files/secrets.key': 'secrets.key',
      'files/sites': 'directory',
      'files/sites/blog-a1b2c3': 'directory',
      'files/sites/blog-a1b2c3/data': 'directory',
      'files/sites/blog-a1b2c3/data/process.json': 'data/process.json',
      'files/sites/blog-a1b2c3/site.json': 'site.json',
    })
  })

  it('a symlink is stored as a symlink, and sockets and pipes are skipped', async () => {
    const folder = await newFolder()
    const outside = await newFolder()
    await writeFile(join(outside, 'secret'), 'of the machine')
    await symlink(outside, join(folder, 'link'))
    spawnSync('/usr/bin/mkfifo', [join(folder, 'pipe')])
    const server = createServer().listen(join(folder, 'socket'))
    onTestFinished(() => void server.close())
    expect(await collect(folder)).toEqual({ 'files/link': outside })
  })

  it('a file that shrinks while it is read keeps its length, and the next files are complete', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'a'), Buffer.alloc(600_000, 'x'))
    await writeFile(join(folder, 'b'), 'whole')
    const warnings: string[] = []
    const sizes: number[] = []
    for await (const { content } of fileEntries(folder, (text) => void warnings.push(text))) {
      let size = 0
      for await (const chunk of content) {
        size += chunk.length
        await truncate(join(folder, 'a'), 1000)
      }
      sizes.push(size)
    }
    expect(sizes).toEqual([600_000, 5])
    expect(warnings).toEqual(['a shrank while it was read'])
  })

  it('symlinks are created last, so that no file is written through one', async () => {
    const folder = await newFolder()
    const outside = await newFolder()
    const restore = await createFilesRestore(folder)
    const link = { ...fileEntry('files/link', Buffer.alloc(0), now), type: 'symlink' as const }
    await restore.write({ ...link, target: outside })
    await expect(
      restore.write(fileEntry('files/link/evil', Buffer.from('evil'), now)),
    ).rejects.toThrow('ENOENT')
    await restore.finish()
    expect(await readdir(outside)).toEqual([])
    expect(await readdir(folder)).toEqual(['link'])
  })

  it('a restore has the content and modes of the backup', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'sub'), { mode: 0o750 })
    await writeFile(join(folder, 'sub', 'secrets.key'), 'a key', { mode: 0o600 })
    const target = await newFolder()
    const restore = await createFilesRestore(target)
    for await (const entry of fileEntries(folder, () => undefined)) await restore.write(entry)
    await restore.finish()
    expect(await readFile(join(target, 'sub', 'secrets.key'), 'utf8')).toBe('a key')
    expect((await stat(join(target, 'sub', 'secrets.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(target, 'sub'))).mode & 0o777).toBe(0o750)
  })
})
