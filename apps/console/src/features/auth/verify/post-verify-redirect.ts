import { day } from '@slipway/contract/limits'
import { useEffect } from 'react'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'

const key = 'postVerifyRedirect'

type SavedRedirect = { next: string; savedAt: number }

/** Saves `next` on this device: the emailed link opens in any tab and does not contain it. */
export function useSavePostVerifyRedirect(next: string | undefined) {
  useEffect(() => {
    if (next === undefined) return
    localStorage.setItem(key, JSON.stringify({ next, savedAt: Date.now() } satisfies SavedRedirect))
    return () => localStorage.removeItem(key)
  }, [next])
}

function readSaved(): Partial<SavedRedirect> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** Saved path; null if missing, unsafe or older than 24 h. */
export function postVerifyRedirect() {
  const { next, savedAt } = readSaved()
  const isOld = typeof savedAt !== 'number' || savedAt < Date.now() - day
  return typeof next !== 'string' || isOld ? null : safeNextPath(next, location.origin)
}
