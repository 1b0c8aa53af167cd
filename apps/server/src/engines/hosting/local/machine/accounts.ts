import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { nullIfMissing } from '../../../../file-errors.ts'
import { serviceAccount } from '../../../../service-account.ts'

/** The user and group of the operating system that a site runs as. */
export type Account = { uid: number; gid: number }

// Above the users of distributions and administrators, below `nobody` and container ranges.
const firstUid = 30_000
const lastUid = 59_999

export type Accounts = {
  /** True when each site has its own user, which requires root. */
  readonly separate: boolean
  /** The group of the gateway and the web server once they gave up root; null without root. */
  readonly serviceGroup: number | null
  /**
   * Registers the account of an existing site: the owner of its data folder. Call it for every site
   * before the first `claim`. Owners outside our range and of other sites are ignored.
   */
  register(key: string, owner: number): void
  /** The account of a site, created on first use; null when all sites run as the server's user. */
  claim(key: string): Account | null
  /** Releases the account of a removed site for reuse. */
  release(key: string): void
}

const firstChoice = (key: string): number => {
  const hash = createHash('sha256').update(key).digest().readUInt32BE()
  return firstUid + (hash % (lastUid - firstUid + 1))
}

/** The ids of the machine's users and groups: the user and the group of a site have the same id. */
const readKnownIds = async (): Promise<number[]> => {
  const files = ['/etc/passwd', '/etc/group'].map((file) => nullIfMissing(readFile(file, 'utf8')))
  const lines = (await Promise.all(files)).flatMap((text) => text?.split('\n') ?? [])
  return lines.map((line) => Number(line.split(':')[2]))
}

/** The groups that sites have or may get. */
export const siteGroups = async (): Promise<number[]> => {
  const usedIds = new Set(await readKnownIds())
  const all = Array.from({ length: lastUid - firstUid + 1 }, (_, index) => firstUid + index)
  return all.filter((gid) => !usedIds.has(gid))
}

/** Assigns each site of a data folder its own user id, unused on the machine and never root. */
export const createAccounts = async (dataDir: string): Promise<Accounts> => {
  const separate = process.getuid?.() === 0
  const reserved = new Set(separate ? await readKnownIds() : [])
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
    serviceGroup: separate ? serviceAccount(dataDir).gid : null,
    register(key, owner) {
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
