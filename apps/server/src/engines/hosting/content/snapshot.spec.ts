import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { tooLargeExitCode } from './content-program.ts'
import { treeOf, writeTree } from './content-tree.fixture.ts'

const program = join(import.meta.dirname, 'content.mjs')

/** Pseudo-random bytes that do not compress. */
const bytes = (size: number) => createHash('shake256', { outputLength: size }).digest()
/** More than the buffers between the program and a reader that does not read. */
const largeSize = 32_000_000

const start = (command: 'snapshot' | 'unpack', folder: string, temporary: string) =>
  spawn(process.execPath, [program, command, folder, temporary])

async function createFolders() {
  const folder = await createDataFolder()
  const [site, temporary, copy] = [join(folder, 'site'), join(folder, 'tmp'), join(folder, 'copy')]
  for (const each of [site, temporary, copy]) await mkdir(each)

  async function end(child: ReturnType<typeof start>) {
    const [exit, output, errors] = await Promise.all([
      once(child, 'close'),
      buffer(child.stdout),
      text(child.stderr),
    ])
    return { code: exit[0] as number, output, errors }
  }

  async function unpack(archive: Buffer) {
    const child = start('unpack', copy, '-')
    const [ended] = await Promise.all([end(child), pipeline(Readable.from([archive]), child.stdin)])
    expect(ended).toMatchObject({ code: 0, errors: '' })
  }

  return {
    site,
    temporary,
    copy,
    /** Copies the site; resolves with the archive, which is unpacked in `copy`. */
    async copySite() {
      const { code, output, errors } = await end(start('snapshot', site, temporary))
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      expect(await readdir(temporary)).toEqual([])
      await unpack(output)
      return output
    },
    /** Copies the site, which changes once the copy has begun to read a large file. */
    async copyDuring(change: () => Promise<void>) {
      const child = start('snapshot', site, temporary)
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stdout, 'readable')
      await change()
      const { code, output, errors } = await end(child)
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      await unpack(output)
    },
    end,
  }
}

/** A database whose connection is closed after the test. */
function openDatabase(path: string, journal: 'wal' | 'delete' = 'wal') {
  const database = new DatabaseSync(path)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  database.exec(`PRAGMA journal_mode = ${journal}; PRAGMA wal_autocheckpoint = 0`)
  return database
}

/** The numbers in the table of a copy. */
function rowsOf(path: string): number[] {
  const database = new DatabaseSync(path)
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    return database
      .prepare('SELECT n FROM rows ORDER BY n')
      .all()
      .map(({ n }) => Number(n))
  } finally {
    database.close()
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Inserts rows in transactions of their own, and prints a line after some. */
const writer = `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(process.argv[1], { timeout: 60_000 })
  database.exec('PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 20; PRAGMA synchronous = 0')
  database.exec('CREATE TABLE rows (n INTEGER, text TEXT); CREATE INDEX texts ON rows (text)')
  const insert = database.prepare('INSERT INTO rows VALUES (?, hex(randomblob(300)))')
  for (let n = 1; ; n++) {
    insert.run(n)
    if (n === 1000) console.log(n)
  }`

/** Replaces each database of a folder by a link to another one, and back, all the time. */
const linkSwitcher = `
  const fs = require('node:fs')
  const [, site, other] = process.argv
  process.chdir(site)
  const names = fs.readdirSync('.').filter((name) => /^\\d+\\.db$/.test(name))
  for (const name of names) fs.symlinkSync(other, name + '.link')
  for (let count = 0; ; count++) {
    for (const name of names) {
      fs.renameSync(name, name + '.own')
      fs.renameSync(name + '.link', name)
    }
    for (const name of names) {
      fs.renameSync(name, name + '.link')
      fs.renameSync(name + '.own', name)
    }
    if (count === 0) console.log('ready')
  }`

const createRow = (n: number) => `CREATE TABLE rows (n INTEGER); INSERT INTO rows VALUES (${n})`

describe('the copy of a running site', () => {
  it('has a database as of one moment while another process writes to it', async () => {
    const { site, copy, copySite } = await createFolders()
    const child = spawn(process.execPath, ['-e', writer, join(site, 'site.db')])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await copySite()
    expect(child.exitCode).toBeNull()
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(await readdir(copy)).toEqual(['site.db'])
    const rows = rowsOf(join(copy, 'site.db'))
    expect(rows.length).toBeGreaterThanOrEqual(1000)
    expect(rows).toEqual(upTo(rows.length))
  })

  it.each(['wal', 'delete'] as const)(
    'has no transaction that is not committed, and lets it commit: %s',
    async (journal) => {
      const { site, copy, copySite } = await createFolders()
      const database = openDatabase(join(site, 'site.db'), journal)
      database.exec('CREATE TABLE rows (n INTEGER); INSERT INTO rows VALUES (1), (2)')
      database.exec('BEGIN; INSERT INTO rows VALUES (3)')
      await copySite()
      database.exec('COMMIT')
      expect(await readdir(copy)).toEqual(['site.db'])
      expect(rowsOf(join(copy, 'site.db'))).toEqual([1, 2])
      expect(rowsOf(join(site, 'site.db'))).toEqual([1, 2, 3])
    },
  )

  it('has the mode and the time of a database, and a log that is not in its file yet', async () => {
    const { site, copy, copySite } = await createFolders()
    const path = join(site, 'site.db')
    const database = openDatabase(path)
    database.exec('CREATE TABLE rows (n INTEGER)')
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO rows VALUES (1)')
    const { mode, mtimeMs } = await lstat(path)
    await copySite()
    expect(await lstat(join(copy, 'site.db'))).toMatchObject({ mode })
    expect((await lstat(join(copy, 'site.db'))).mtimeMs).toBeCloseTo(mtimeMs, 2)
    expect(rowsOf(join(copy, 'site.db'))).toEqual([1])
  })

  it('contains the files of a database that the site has locked exclusively', async () => {
    const { site, copy, copySite } = await createFolders()
    const database = openDatabase(join(site, 'site.db'))
    database.exec('PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE rows (n INTEGER)')
    database.exec('INSERT INTO rows VALUES (1)')
    const names = await readdir(site)
    await copySite()
    expect(await readdir(copy)).toEqual(names)
    expect(rowsOf(join(copy, 'site.db'))).toEqual([1])
  })

  it('is equal for equal files, and leaves them as they are', async () => {
    const { site, copySite, copy } = await createFolders()
    await writeTree(site, null)
    openDatabase(join(site, 'open.db')).exec('CREATE TABLE rows (n INTEGER)')
    openDatabase(join(site, 'rollback.db'), 'delete').exec('CREATE TABLE rows (n INTEGER)')
    const closed = openDatabase(join(site, 'closed.db'))
    closed.exec('CREATE TABLE rows (n INTEGER); INSERT INTO rows VALUES (1)')
    closed.close()
    const before = await treeOf(site)
    const first = await copySite()
    // An index of the log is shared memory, whose bytes any reader may change.
    expect({ ...(await treeOf(site)), 'open.db-shm': null }).toEqual({
      ...before,
      'open.db-shm': null,
    })
    expect(rowsOf(join(copy, 'closed.db'))).toEqual([1])
    expect((await copySite()).equals(first)).toBe(true)
  })

  it('omits a file that is deleted, and has one that is replaced or changed', async () => {
    const { site, copy, copyDuring } = await createFolders()
    await writeFile(join(site, 'a'), bytes(largeSize))
    for (const name of ['deleted', 'folder', 'grown', 'linked', 'shrunk'])
      await writeFile(join(site, name), 'x'.repeat(100_000))
    await mkdir(join(site, 'removed'))
    await copyDuring(async () => {
      await truncate(join(site, 'a'), largeSize - 1_000_000)
      for (const name of ['deleted', 'removed', 'folder', 'linked'])
        await rm(join(site, name), { recursive: true })
      await mkdir(join(site, 'folder'))
      await symlink('/etc/passwd', join(site, 'linked'))
      await writeFile(join(site, 'grown'), 'y'.repeat(200_000))
      await truncate(join(site, 'shrunk'), 1)
    })
    const tree = await treeOf(copy)
    expect(Object.keys(tree)).toEqual(['a', 'folder', 'grown', 'linked', 'shrunk'])
    expect(tree).toMatchObject({
      a: { size: largeSize },
      grown: { size: 200_000 },
      linked: { to: '/etc/passwd' },
      shrunk: { size: 1 },
    })
    const expected = Buffer.concat([
      bytes(largeSize).subarray(0, -1_000_000),
      Buffer.alloc(1_000_000),
    ])
    expect((await readFile(join(copy, 'a'))).equals(expected)).toBe(true)
  })

  it('contains no file of another folder when the site replaces its own by a link to it', async () => {
    const { site, copy, copyDuring } = await createFolders()
    const other = await createDataFolder()
    for (const [folder, n] of [
      [join(site, 'own'), 1],
      [other, 2],
    ] as const) {
      await mkdir(folder, { recursive: true })
      openDatabase(join(folder, 'z.db')).exec(createRow(n))
      await writeFile(join(folder, 'text'), String(n))
    }
    await writeFile(join(site, 'own/a'), bytes(largeSize))
    await copyDuring(async () => {
      await rename(join(site, 'own'), join(site, 'renamed'))
      await symlink(other, join(site, 'own'))
    })
    expect(rowsOf(join(copy, 'own/z.db'))).toEqual([1])
    expect(await readFile(join(copy, 'own/text'), 'utf8')).toBe('1')
  })

  it('reads no pipe, follows no link, and has damaged databases as they are', async () => {
    const { site, copy, copySite } = await createFolders()
    const other = await createDataFolder()
    openDatabase(join(other, 'other.db')).exec(`${createRow(1)}; PRAGMA wal_checkpoint(TRUNCATE)`)
    openDatabase(join(other, 'rollback.db'), 'delete').exec(createRow(1))
    execFileSync('mkfifo', [join(site, 'pipe.db')])
    await symlink(join(other, 'other.db'), join(site, 'link.db'))
    await copyFile(join(other, 'rollback.db'), join(site, 'piped.db'))
    execFileSync('mkfifo', [join(site, 'piped.db-journal')])
    await copyFile(join(other, 'other.db'), join(site, 'linked.db'))
    await symlink(join(other, 'other.db-wal'), join(site, 'linked.db-wal'))
    await writeFile(join(site, 'damaged.db'), `SQLite format 3\0${'damaged '.repeat(10_000)}`)
    await writeFile(join(site, 'short.db'), 'SQLite format 3\0')
    await copySite()
    const copied = await treeOf(copy)
    expect(Object.keys(copied)).toEqual([
      'damaged.db',
      'link.db',
      'linked.db',
      'linked.db-wal',
      'piped.db',
      'short.db',
    ])
    for (const name of ['damaged.db', 'linked.db', 'piped.db', 'short.db'])
      expect(await readFile(join(copy, name)), name).toEqual(await readFile(join(site, name)))
    expect(copied).toMatchObject({ 'link.db': { to: join(other, 'other.db') } })
  })

  it('has a database whose name is not valid UTF-8', async () => {
    const { site, copy, copySite } = await createFolders()
    for (const [name, n] of [
      ['own.db', 1],
      ['\ufffd', 2],
    ] as const)
      openDatabase(join(site, name), 'delete').exec(createRow(n))
    const oddIn = (folder: string) => Buffer.from(`${folder}/\xff`, 'latin1')
    await rename(join(site, 'own.db'), oddIn(site))
    await copySite()
    await rename(oddIn(copy), join(copy, 'own.db'))
    expect(rowsOf(join(copy, 'own.db'))).toEqual([1])
    expect(rowsOf(join(copy, '\ufffd'))).toEqual([2])
  })

  it('contains no database of another folder when the site swaps its own for a link to it', async () => {
    const { site, copy, copySite } = await createFolders()
    const other = join(await createDataFolder(), 'other.db')
    openDatabase(other, 'delete').exec(createRow(2))
    openDatabase(join(site, 'own.db'), 'delete').exec(createRow(1))
    const own = await readFile(join(site, 'own.db'))
    for (let n = 0; n < 100; n++) await writeFile(join(site, `${n}.db`), own)
    const child = spawn(process.execPath, ['-e', linkSwitcher, site, other])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await copySite()
    expect(child.exitCode).toBeNull()
    child.kill('SIGKILL')
    await once(child, 'close')
    for (const name of await readdir(copy))
      if ((await lstat(join(copy, name))).isFile()) expect(rowsOf(join(copy, name))).toEqual([1])
  })

  it('ends with its own exit code when the files are too large, without temporary files', async () => {
    const { site, temporary, end } = await createFolders()
    const database = openDatabase(join(site, 'a.db'))
    database.exec('CREATE TABLE rows (n INTEGER)')
    await (await open(join(site, 'sparse'), 'w')).close()
    await truncate(join(site, 'sparse'), 2 * 2 ** 30 + 1)
    const { code, errors } = await end(start('snapshot', site, temporary))
    expect(code).toBe(tooLargeExitCode)
    expect(errors).toBe('The files of the site are too large to copy\n')
    expect(await readdir(temporary)).toEqual([])
  })
})
