import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { nullIfMissing } from '../files/file-errors.ts'

/** The user and group of the operating system that a site runs as. */
export type Account = { uid: number; gid: number }

// Above the users of distributions and administrators, below `nobody` and container ranges.
const firstUid = 30_000
const lastUid = 59_999

export type Accounts = {
  /** True when each site has its own user, which requires root. */
  readonly separate: boolean
  /**
   * Registers the account of an existing site: the owner of its data folder. Call it for every site
   * before the first `claim`. Owners outside our range and of other sites are ignored.
   */
  remember(key: string, owner: number): void
  /** The account of a site, created on first use; null when all sites run as the server's user. */
  claim(key: string): Account | null
  /** Releases the account of a removed site for reuse. */
  release(key: string): void
}

const firstChoice = (key: string): number => {
  const hash = createHash('sha256').update(key).digest().readUInt32BE()
  return firstUid + (hash % (lastUid - firstUid + 1))
}

const readKnownUids = async (): Promise<number[]> => {
  const text = (await nullIfMissing(readFile('/etc/passwd', 'utf8'))) ?? ''
  return text.split('\n').map((line) => Number(line.split(':')[2]))
}

/** Assigns each site its own user id, unused on the machine and never root. */
export const createAccounts = async (): Promise<Accounts> => {
  const separate = process.getuid?.() === 0
  const reserved = new Set(separate ? await readKnownUids() : [])
  const uids = new Map<string, number>()
  const usedUids = new Set<number>()

  const isFree = (uid: number) => !usedUids.has(uid) && !reserved.has(uid)
  const isOurs = (uid: number) => uid >= firstUid && uid <= lastUid

  const assign = (key: string, uid: number): number => {
    uids.set(key, uid)
    usedUids.add(uid)
    return uid
  }

  const choose = (key: string): number => {
    const count = lastUid - firstUid + 1
    const start = firstChoice(key) - firstUid
    for (let step = 0; step < count; step += 1) {
      const uid = firstUid + ((start + step) % count)
      if (isFree(uid)) return uid
    }
    throw new Error(`All user ids from ${firstUid} to ${lastUid} are in use`)
  }

  return {
    separate,
    remember(key, owner) {
      if (separate && !uids.has(key) && isOurs(owner) && isFree(owner)) assign(key, owner)
    },
    claim(key) {
      if (!separate) return null
      const uid = uids.get(key) ?? assign(key, choose(key))
      return { uid, gid: uid }
    },
    release(key) {
      const uid = uids.get(key)
      if (uid === undefined) return
      uids.delete(key)
      usedUids.delete(uid)
    },
  }
}
