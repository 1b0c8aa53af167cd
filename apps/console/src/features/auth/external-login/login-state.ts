import { hour } from '@slipway/contract/limits'
import { externalLoginPath } from '@slipway/contract/sessions'
import * as z from 'zod/mini'

/**
 * One entry per login, keyed by state: tabs that start a login at the same time do not overwrite
 * each other's.
 */
const prefix = 'loginState.'

/** The data that this device stores about an external login that it started. */
const record = z.object({
  /** Start time in milliseconds. */
  timestamp: z.number(),
  /** The path to open afterwards. */
  next: z.optional(z.string()),
})
export type LoginRecord = z.output<typeof record>

export function parseLoginRecord(stored: string): LoginRecord | null {
  try {
    return record.safeParse(JSON.parse(stored)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The stored records of the logins that this device started, by state. */
export const storedExternalLogins = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries<string>(localStorage).flatMap(([key, stored]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), stored]] : [],
    ),
  )

export const deleteExternalLogin = (state: string) => localStorage.removeItem(prefix + state)

/** Higher than the number of logins that a user has open at once, unfinished ones included. */
const maxLogins = 10
/** Longer than a login is valid, so that a late return is reported as expired. */
const retention = hour

/** Returns the states to delete when a login starts: unreadable, too old or too many. */
export function staleLogins(stored: ReadonlyMap<string, string>, now: number) {
  const logins = [...stored].map(([state, text]) => ({ state, record: parseLoginRecord(text) }))
  const useful = logins
    .filter(({ record }) => record && Math.abs(now - record.timestamp) <= retention)
    .sort((a, b) => (b.record?.timestamp ?? 0) - (a.record?.timestamp ?? 0))
    .slice(0, maxLogins - 1)
  return logins.filter((login) => !useful.includes(login)).map(({ state }) => state)
}

/** Stores a new external login and returns the path, below the API base, where it starts. */
export function startExternalLogin(provider: string, next: string | undefined) {
  const now = Date.now()
  staleLogins(storedExternalLogins(), now).forEach(deleteExternalLogin)
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const state = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  localStorage.setItem(
    prefix + state,
    JSON.stringify({ timestamp: now, next } satisfies LoginRecord),
  )
  return `${externalLoginPath}?${new URLSearchParams({ provider, state })}`
}
