import { describe, expect, it } from 'vitest'
import { createAccounts } from './accounts.ts'

const isRoot = process.getuid?.() === 0

describe('createAccounts', () => {
  it('each site has its own account if the server is root, otherwise none', async () => {
    const accounts = await createAccounts('/data')
    const claimed = Array.from({ length: 2_000 }, (_, index) => accounts.claim(`site-${index}`))
    if (!isRoot) {
      expect(new Set(claimed)).toEqual(new Set([null]))
      return
    }
    const uids = claimed.map((account) => account?.uid ?? 0)
    expect(new Set(uids).size).toBe(2_000)
    expect(Math.min(...uids)).toBeGreaterThanOrEqual(30_000)
    expect(Math.max(...uids)).toBeLessThanOrEqual(59_999)
    expect(accounts.claim('site-7')).toEqual(claimed[7])
  })

  it('a registered account is not assigned to another site', async () => {
    const first = (await createAccounts('/data')).claim('wanted')?.uid ?? 0
    const accounts = await createAccounts('/data')
    accounts.register('other', first)
    const [otherAccount, wantedAccount] = [accounts.claim('other'), accounts.claim('wanted')]
    if (isRoot) {
      expect(otherAccount?.uid).toBe(first)
      expect(wantedAccount?.uid).not.toBe(first)
    } else expect([otherAccount, wantedAccount]).toEqual([null, null])
  })

  it('a registered uid outside 30,000 to 59,999 is ignored', async () => {
    const accounts = await createAccounts('/data')
    for (const registered of [0, 1000, 29_999, 60_000, 65_534]) {
      accounts.register(`owned-by-${registered}`, registered)
      const uid = accounts.claim(`owned-by-${registered}`)?.uid
      if (isRoot) {
        expect(uid).toBeGreaterThanOrEqual(30_000)
        expect(uid).toBeLessThanOrEqual(59_999)
      } else expect(uid).toBeUndefined()
    }
  })
})
