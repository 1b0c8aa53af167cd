import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingError } from '../env/setting-error.ts'
import { lockFolder, prepareDataDir } from './data-folder.ts'
import { ordinaryUser } from './embedded.fixture.ts'

const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-data-folder-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the work as an unprivileged user. */
function asOrdinaryUser(work: () => void) {
  if (!isRoot || !process.seteuid) return work()
  process.seteuid(ordinaryUser().uid)
  try {
    work()
  } finally {
    process.seteuid(0)
  }
}

describe('prepareDataDir', () => {
  it('creates the folder with its parents and returns its real path', () => {
    symlinkSync(folder, join(folder, 'link'))
    expect(prepareDataDir(join(folder, 'link/a/b'))).toBe(join(folder, 'a/b'))
    expect(prepareDataDir(join(folder, 'a/b'))).toBe(join(folder, 'a/b'))
  })

  it('rejects a file, and a path below one', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const start = (path: string) => () => prepareDataDir(path)
    expect(start(file)).toThrow(`DATA_DIR must be a folder, but ${file} is a file`)
    expect(start(join(file, 'data'))).toThrow(SettingError)
    expect(start(join(file, 'data'))).toThrow(/^DATA_DIR must be .* ENOTDIR: [^\n]*$/)
  })

  it('rejects a dangling link', () => {
    symlinkSync(join(folder, 'gone'), join(folder, 'link'))
    expect(() => prepareDataDir(join(folder, 'link'))).toThrow(/^DATA_DIR must be .* EEXIST: /)
  })

  it.runIf(process.platform === 'linux')('rejects /proc, where no folder can be made', () => {
    for (const path of ['/proc/slipway', '/proc/slipway/data'])
      expect(() => prepareDataDir(path), path).toThrow(/^DATA_DIR must be .* ENOENT: /)
  })

  it('rejects a folder that cannot be created without privileges', () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(folder, 0o755)
    chmodSync(closed, 0o555)
    asOrdinaryUser(() => {
      expect(() => prepareDataDir(join(closed, 'data'))).toThrow(SettingError)
      expect(() => prepareDataDir(join(closed, 'data'))).toThrow(
        `DATA_DIR must be a folder that this user may write to, but ${join(closed, 'data')} is not: EACCES`,
      )
    })
    expect(readdirSync(closed)).toEqual([])
  })

  it("rejects characters that PostgreSQL's programs do not support", () => {
    expect(() => prepareDataDir(join(folder, 'a"b'))).toThrow(
      'DATA_DIR must not contain double quotes',
    )
  })
})

describe('lockFolder', () => {
  it('only one caller at a time has the lock', () => {
    const lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(`another server is using ${folder}`)
    lock.release()
    lockFolder(folder).release()
  })

  it('reports why it cannot lock', () => {
    mkdirSync(join(folder, 'server.lock'))
    expect(() => lockFolder(folder)).toThrow(SettingError)
    expect(() => lockFolder(folder)).toThrow(
      `DATA_DIR must be a folder for this server alone, but ${folder}/server.lock cannot be locked: unable to open`,
    )
  })
})
