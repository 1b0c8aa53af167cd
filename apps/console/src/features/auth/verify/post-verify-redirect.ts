import { day } from '@slipway/contract/limits'
import { useEffect } from 'react'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'

const key = 'wantedAfterVerifying'

type Kept = { next: string; at: number }

/**
 * Remembers, on this device, what is wanted once the account is verified: the mailed link, which opens in
 * whichever tab, says nothing of it.
 */
export function useWantedAfterVerifying(next: string | undefined) {
  useEffect(() => {
    if (next === undefined) return
    localStorage.setItem(key, JSON.stringify({ next, at: Date.now() } satisfies Kept))
    return () => localStorage.removeItem(key)
  }, [next])
}

function kept(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** What this device was on the way to, as a path that may be followed; null where the mail is older than its link. */
export function wantedAfterVerifying() {
  const { next, at } = kept()
  const isOld = typeof at !== 'number' || at < Date.now() - day
  return typeof next !== 'string' || isOld ? null : safeNextPath(next, location.origin)
}
