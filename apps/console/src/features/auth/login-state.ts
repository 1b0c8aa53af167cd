import { externalLoginPath } from '@slipway/contract/auth'
import * as z from 'zod/mini'

const key = 'loginState'

/** What this device remembers of an outside login that it has begun. */
const loginState = z.object({
  /** 128 random bits in hexadecimal. */
  state: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** When it began, in milliseconds. */
  timestamp: z.number(),
  /** The path to go to afterwards. */
  next: z.optional(z.string()),
})
export type LoginState = z.output<typeof loginState>

/** The record as it is stored, or null where it is not such a record. */
export function parseLoginState(stored: string): LoginState | null {
  try {
    return loginState.safeParse(JSON.parse(stored)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export const storedLoginState = () => localStorage.getItem(key)
export const forgetLoginState = () => localStorage.removeItem(key)

/** Remembers a new outside login, and gives the path below the API's base where the browser begins it. */
export function beginExternalLogin(provider: string, next: string | undefined) {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const state = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const record: LoginState = { state, timestamp: Date.now(), next }
  localStorage.setItem(key, JSON.stringify(record))
  return `${externalLoginPath}?${new URLSearchParams({ provider, state })}`
}
