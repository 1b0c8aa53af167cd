import { clearCookie, readCookies, setCookie } from './cookies.ts'
import type { SiteKey } from './site-key.ts'

/** What has to be remembered between leaving for the provider and coming back. */
export type Transaction = {
  state: string
  nonce: string
  codeVerifier: string
}

const lifeSeconds = 10 * 60
const prefix = 'site_sign_in_'
// Each tab that signs in has a cookie; requests stay far below the limit of their headers.
const mostTransactions = 8

const cookieName = (state: string) => `${prefix}${state.slice(0, 16)}`

const purpose = 'sign-in'

/** True for what may be one of our states: 256 random bits in base64url. */
export const isState = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * The Set-Cookie headers that keep a transaction in the visitor's browser, sealed, for 10 minutes.
 * Each has a cookie of its own, so that two tabs may sign in at once.
 */
export const rememberTransaction = (
  key: SiteKey,
  transaction: Transaction,
  cookieHeader: string | undefined,
  secure: boolean,
): string[] => {
  const expiresAt = Date.now() + lifeSeconds * 1000
  const sealed = key.seal(purpose, JSON.stringify({ ...transaction, expiresAt }))
  const others = readCookies(cookieHeader, secure).filter(([name]) => name.startsWith(prefix))
  return [
    ...others.slice(0, -mostTransactions + 1).map(([name]) => clearCookie(name, secure)),
    setCookie(cookieName(transaction.state), sealed, lifeSeconds, secure),
  ]
}

/** The Set-Cookie header that forgets the transaction with this state. */
export const forgetTransaction = (state: string, secure: boolean): string =>
  clearCookie(cookieName(state), secure)

/** The visitor's transaction with this state; null when their browser has none, or it has expired. */
export const findTransaction = (
  key: SiteKey,
  state: string,
  cookieHeader: string | undefined,
  secure: boolean,
): Transaction | null => {
  for (const [name, value] of readCookies(cookieHeader, secure)) {
    const text = name === cookieName(state) ? key.open(purpose, value) : null
    if (text === null) continue
    const transaction = JSON.parse(text) as Transaction & { expiresAt: number }
    if (transaction.state === state && transaction.expiresAt > Date.now()) return transaction
  }
  return null
}
