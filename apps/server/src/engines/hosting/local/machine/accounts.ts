import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ifThere } from '../files/file-errors.ts'

/** The operating system's user and group a site runs as. */
export type Account = { uid: number; gid: number }

// Above the users a distribution or an administrator makes, below `nobody` and container ranges.
const firstUid = 30_000
const lastUid = 59_999

export type Accounts = {
  /** Whether each site gets a user of its own; only root can give it one. */
  readonly separate: boolean
  /**
   * Keeps the account a site already has: the owner of its data folder, which is where the choice is
   * remembered. To be told of every site before the first claim. Another owner than ours is ignored.
   */
  remember(key: string, owner: number): void
  /** The account of a site, for the first time a new one; null when all sites run as the server's user. */
  claim(key: string): Account | null
  /** Lets the account of a removed site be given to another. */
  release(key: string): void
}

const firstChoice = (key: string): number => {
  const hash = createHash('sha256').update(key).digest().readUInt32BE()
  return firstUid + (hash % (lastUid - firstUid + 1))
}

const readKnownUids = async (): Promise<number[]> => {
  const text = (await ifThere(readFile('/etc/passwd', 'utf8'))) ?? ''
  return text.split('\n').map((line) => Number(line.split(':')[2]))
}

/** Hands each site a user id of its own, which is in no use by the machine and never root. */
export const createAccounts = async (): Promise<Accounts> => {
  const separate = process.getuid?.() === 0
  const reserved = new Set(separate ? await readKnownUids() : [])
  const uids = new Map<string, number>()
  const taken = new Set<number>()

  const isFree = (uid: number) => !taken.has(uid) && !reserved.has(uid)
  const isOurs = (uid: number) => uid >= firstUid && uid <= lastUid

  const take = (key: string, uid: number): number => {
    uids.set(key, uid)
    taken.add(uid)
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
      if (separate && isOurs(owner) && isFree(owner)) take(key, owner)
    },
    claim(key) {
      if (!separate) return null
      const uid = uids.get(key) ?? take(key, choose(key))
      return { uid, gid: uid }
    },
    release(key) {
      const uid = uids.get(key)
      if (uid === undefined) return
      uids.delete(key)
      taken.delete(uid)
    },
  }
}
