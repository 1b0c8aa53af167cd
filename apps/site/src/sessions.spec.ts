import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from './log.ts'
import { openSessions } from './sessions.ts'
import { openSiteKey } from './site-key.ts'
import { deleteTransaction, findTransaction, storeTransaction } from './transactions.ts'

const start = new Date('2026-01-02T03:04:05Z')
const hour = 60 * 60 * 1000
const ada = { subject: 'ada', name: 'Ada Example', email: 'ada@example.com' }
const access = { token: 'a-token-of-the-console', expiresAt: start.getTime() + hour }

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => void vi.useRealTimers())

const createFolder = async () => {
  const folder = await mkdtemp('/tmp/site-sessions-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The sessions of a new process in this folder. */
const open = (folder: string) => {
  const log = createLog()
  const key = openSiteKey(folder, log)
  return { key, sessions: openSessions(folder, key, log) }
}

describe('openSessions', () => {
  it('a session expires 12 hours after sign-in, regardless of use', async () => {
    const { sessions } = open(await createFolder())
    const cookie = await sessions.begin(ada, access)
    vi.setSystemTime(start.getTime() + 12 * hour - 1)
    await expect(sessions.find(cookie)).resolves.toMatchObject(ada)
    vi.setSystemTime(start.getTime() + 12 * hour)
    await expect(sessions.find(cookie)).resolves.toBeNull()
  })

  it('sessions and their end survive a restart', async () => {
    const folder = await createFolder()
    const first = open(folder).sessions
    const [stored, ended] = [await first.begin(ada, access), await first.begin(ada, access)]
    await first.end((await first.find(ended))?.id ?? '')

    const second = open(folder).sessions
    await expect(second.find(stored)).resolves.toMatchObject(ada)
    await expect(second.find(ended)).resolves.toBeNull()
  })

  it('the access token survives a restart', async () => {
    const folder = await createFolder()
    const cookie = await open(folder).sessions.begin(ada, access)
    await expect(open(folder).sessions.find(cookie)).resolves.toMatchObject({ access })
  })

  it('a session of an older format is ignored', async () => {
    const folder = await createFolder()
    const cookie = await open(folder).sessions.begin(ada, access)
    const path = join(folder, 'sessions.json')
    const stored = Object.entries<object>(JSON.parse(await readFile(path, 'utf8')))
    const older = stored.map(([id, session]) => [id, { ...session, sealedAccess: undefined }])
    await writeFile(path, JSON.stringify(Object.fromEntries(older)))
    await expect(open(folder).sessions.find(cookie)).resolves.toBeNull()
  })

  it('a session is invalid on another site', async () => {
    const [mine, other] = [await createFolder(), await createFolder()]
    const cookie = await open(mine).sessions.begin(ada, access)
    await writeFile(join(other, 'sessions.json'), await readFile(join(mine, 'sessions.json')))
    await expect(open(other).sessions.find(cookie)).resolves.toBeNull()
  })

  it('the files contain no usable session and only the site can read them', async () => {
    const folder = await createFolder()
    const cookie = await open(folder).sessions.begin(ada, access)
    const text = await readFile(join(folder, 'sessions.json'), 'utf8')
    expect(text).toContain('ada@example.com')
    expect(text).not.toContain(cookie.split('.')[0])
    expect(text).not.toContain(access.token)
    for (const name of await readdir(folder)) {
      expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  it('expired sessions are deleted, and the oldest of more than 200', async () => {
    const folder = await createFolder()
    const { sessions } = open(folder)
    const cookies = await Promise.all(
      Array.from({ length: 201 }, () => sessions.begin(ada, access)),
    )
    const found = await Promise.all(cookies.map((cookie) => sessions.find(cookie)))
    expect(found.map(Boolean)).toEqual([false, ...Array<boolean>(200).fill(true)])

    vi.setSystemTime(start.getTime() + 13 * hour)
    await sessions.begin(ada, access)
    const stored = JSON.parse(await readFile(join(folder, 'sessions.json'), 'utf8'))
    expect(Object.keys(stored)).toHaveLength(1)
  })

  it.each([
    ['sessions.json', 'not JSON'],
    ['site.key', 'short'],
  ])('sessions end and can start again when %s is damaged', async (file, damage) => {
    const folder = await createFolder()
    const cookie = await open(folder).sessions.begin(ada, access)
    await writeFile(join(folder, file), damage)
    const { sessions } = open(folder)
    await expect(sessions.find(cookie)).resolves.toBeNull()
    await expect(sessions.find(await sessions.begin(ada, access))).resolves.toMatchObject(ada)
  })
})

describe('openSiteKey', () => {
  it('the key is created once, also by concurrent calls', async () => {
    const { key } = open(await createFolder())
    const [one, other] = await Promise.all([key(), key()])
    expect(other.open('p', one.seal('p', 'text'))).toBe('text')
  })

  it('sealed and signed texts are valid for one purpose only', async () => {
    const key = await open(await createFolder()).key()
    expect(key.open('other', key.seal('one', 'text'))).toBeNull()
    expect(key.verify('other', 'text', key.sign('one', 'text'))).toBe(false)
    expect(key.verify('one', 'text', key.sign('one', 'text'))).toBe(true)
  })
})

describe('sign-in transactions', () => {
  const transaction = { state: 's'.repeat(43), nonce: 'n', codeVerifier: 'v' }
  const asCookies = (headers: string[]) => headers.map((one) => one.split(';')[0]).join('; ')

  it('a transaction expires after 10 minutes', async () => {
    const key = await open(await createFolder()).key()
    const cookie = asCookies(storeTransaction(key, transaction, undefined, false))
    vi.setSystemTime(start.getTime() + 10 * 60_000 - 1)
    expect(findTransaction(key, transaction.state, cookie, false)).toMatchObject(transaction)
    vi.setSystemTime(start.getTime() + 10 * 60_000)
    expect(findTransaction(key, transaction.state, cookie, false)).toBeNull()
  })

  it('a transaction is found only by its full state', async () => {
    const key = await open(await createFolder()).key()
    const cookie = asCookies(storeTransaction(key, transaction, undefined, false))
    expect(findTransaction(key, `${'s'.repeat(42)}t`, cookie, false)).toBeNull()
  })

  it('over https the cookie has the __Host- prefix', async () => {
    const key = await open(await createFolder()).key()
    const [cookie = ''] = storeTransaction(key, transaction, undefined, true)
    expect(cookie).toMatch(
      /^__Host-site_sign_in_s{16}=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const { state } = transaction
    expect(deleteTransaction(state, true)).toMatch(/^__Host-.+=; Path=\/; Max-Age=0; .*; Secure$/)
    expect(findTransaction(key, state, asCookies([cookie]), true)).toMatchObject(transaction)
    // Cookies that another subdomain can set are ignored.
    const planted = cookie.replace('__Host-', '')
    expect(findTransaction(key, state, asCookies([planted]), true)).toBeNull()
    expect(storeTransaction(key, transaction, 'site_sign_in_x=y; '.repeat(9), true)).toHaveLength(1)
  })

  it('the ninth transaction replaces the oldest', async () => {
    const key = await open(await createFolder()).key()
    const eight = Array.from({ length: 8 }, (_none, index) => `site_sign_in_${index}=x`).join('; ')
    const [cleared, stored, ...more] = storeTransaction(key, transaction, eight, false)
    expect(cleared).toMatch(/^site_sign_in_0=; .*Max-Age=0/)
    expect(stored).toMatch(/^site_sign_in_s{16}=/)
    expect(more).toEqual([])
  })
})
