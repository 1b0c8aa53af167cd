import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingError } from '../env/setting-error.ts'
import { createKeyFile, createKeyring, keySource, newKey, replaceKeys } from './keyring.ts'
import { createSealing } from './sealing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-sealing-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sourceIn = (dataDir: string) =>
  keySource({ DATA_DIR: dataDir, SEALING_KEYS: undefined, SEALING_KEYS_FILE: undefined })
const fileIn = (dataDir: string) => sourceIn(dataDir).file ?? ''

/** The sealing of a server that starts on the folder. */
function sealingIn(dataDir: string) {
  const source = sourceIn(dataDir)
  createKeyFile(fileIn(dataDir))
  return createSealing(createKeyring(source, source.read() ?? []))
}

describe('a sealed value', () => {
  it('opens to the value, and differs from another sealed text of the same value', () => {
    const sealing = sealingIn(folder)
    const [first, second] = [sealing.seal('cards 7', 'ığüşöç'), sealing.seal('cards 7', 'ığüşöç')]
    expect(first).not.toBe(second)
    expect([first, second].map((sealed) => sealing.open('cards 7', sealed).toString())).toEqual([
      'ığüşöç',
      'ığüşöç',
    ])
    expect(sealing.open('empty', sealing.seal('empty', ''))).toHaveLength(0)
  })

  it('does not open in another context', () => {
    const sealing = sealingIn(folder)
    expect(() => sealing.open('cards 8', sealing.seal('cards 7', 'secret'))).toThrow()
  })

  it('does not open after a change of any character', () => {
    const sealing = sealingIn(folder)
    const sealed = sealing.seal('cards 7', 'secret')
    for (let index = 0; index < sealed.length; index++) {
      const changedLetter = sealed[index] === 'A' ? 'Q' : 'A'
      const changed = sealed.slice(0, index) + changedLetter + sealed.slice(index + 1)
      expect(() => sealing.open('cards 7', changed), changed).toThrow()
    }
    expect(() => sealing.open('cards 7', sealed.slice(0, -8))).toThrow()
    expect(() => sealing.open('cards 7', '')).toThrow()
  })

  it('does not open with other keys, and the error names the missing key', () => {
    const sealed = sealingIn(join(folder, 'one')).seal('cards 7', 'secret')
    const [, id] = sealed.split(':')
    expect(() => sealingIn(join(folder, 'two')).open('cards 7', sealed)).toThrow(`the key ${id}`)
  })
})

describe('the file of keys', () => {
  it('is created once, and only the server can read it', () => {
    const sealed = sealingIn(folder).seal('cards 7', 'secret')
    expect(sealingIn(folder).open('cards 7', sealed).toString()).toBe('secret')
    const file = fileIn(folder)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(readdirSync(dirname(file))).toEqual(['sealing-keys'])
  })

  it('is read again by a running server when it is replaced', () => {
    const [firstServer, secondServer] = [sealingIn(folder), sealingIn(folder)]
    const before = firstServer.seal('cards 7', 'before')
    replaceKeys(fileIn(folder), [newKey(), ...(sourceIn(folder).read() ?? [])])
    const after = firstServer.seal('cards 7', 'after')
    expect(after.split(':')[1]).not.toBe(before.split(':')[1])
    expect(secondServer.open('cards 7', after).toString()).toBe('after')
    expect(secondServer.open('cards 7', before).toString()).toBe('before')
  })

  it.runIf(process.platform !== 'win32')('is rejected when every user can read it', () => {
    sealingIn(folder)
    chmodSync(fileIn(folder), 0o644)
    expect(() => sourceIn(folder).read()).toThrow(SettingError)
    expect(() => sourceIn(folder).read()).toThrow(`run chmod o= ${fileIn(folder)}`)
  })

  it('is rejected when a line is no key', () => {
    const file = join(folder, 'keys')
    writeFileSync(file, `${newKey().text}\nhunter2\n`, { mode: 0o600 })
    const source = keySource({ DATA_DIR: folder, SEALING_KEYS: undefined, SEALING_KEYS_FILE: file })
    expect(() => source.read()).toThrow('each line must be 32 bytes in base64url')
    expect(() => source.read()).not.toThrow(/hunter2/)
  })
})
