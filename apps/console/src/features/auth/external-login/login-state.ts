import { hour } from '@slipway/contract/limits'
import { externalLoginPath } from '@slipway/contract/sessions'
import * as z from 'zod/mini'

/** An entry for each login, by its state: tabs that begin one at the same time do not overwrite another's. */
const prefix = 'loginState.'

/** What this device remembers of an outside login that it has begun. */
const record = z.object({
  /** When it began, in milliseconds. */
  timestamp: z.number(),
  /** The path to go to afterwards. */
  next: z.optional(z.string()),
})
export type LoginRecord = z.output<typeof record>

/** The record as it is stored, or null where it is not such a record. */
export function parseLogin(stored: string): LoginRecord | null {
  try {
    return record.safeParse(JSON.parse(stored)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The logins that this device has begun, as they are stored, by their state. */
export const storedLogins = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries<string>(localStorage).flatMap(([key, stored]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), stored]] : [],
    ),
  )

export const forgetLogin = (state: string) => localStorage.removeItem(prefix + state)

/** More than anybody has under way at once, with those whose link was pressed and not followed. */
const maxLogins = 10
/** Longer than a login is accepted, so that whoever comes back too late is told so. */
const kept = hour

/** The states that need not be remembered beside a new one: unreadable, long ago, or too many. */
export function outdatedLogins(stored: ReadonlyMap<string, string>, now: number) {
  const logins = [...stored].map(([state, text]) => ({ state, record: parseLogin(text) }))
  const useful = logins
    .filter(({ record }) => record && Math.abs(now - record.timestamp) <= kept)
    .sort((a, b) => (b.record?.timestamp ?? 0) - (a.record?.timestamp ?? 0))
    .slice(0, maxLogins - 1)
  return logins.filter((login) => !useful.includes(login)).map(({ state }) => state)
}

/** Remembers a new outside login, and gives the path below the API's base where the browser begins it. */
export function beginLogin(provider: string, next: string | undefined) {
  const now = Date.now()
  outdatedLogins(storedLogins(), now).forEach(forgetLogin)
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const state = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  localStorage.setItem(
    prefix + state,
    JSON.stringify({ timestamp: now, next } satisfies LoginRecord),
  )
  return `${externalLoginPath}?${new URLSearchParams({ provider, state })}`
}
