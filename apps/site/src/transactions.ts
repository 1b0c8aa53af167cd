import { clearCookie, readCookies, setCookie } from './cookies.ts'
import type { SiteKey } from './site-key.ts'

/** The state of a sign-in between the redirect to the provider and the callback. */
export type Transaction = {
  state: string
  nonce: string
  codeVerifier: string
  /** The page of the editor that the sign-in was started for. */
  returnPath?: string | undefined
}

const lifeSeconds = 10 * 60
const prefix = 'site_sign_in_'
// One cookie per tab; the number keeps requests far below the header limit.
const maxTransactions = 8

const cookieName = (state: string) => `${prefix}${state.slice(0, 16)}`

const purpose = 'sign-in'

/** True for a well-formed state: 256 random bits in base64url. */
export const isState = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * The Set-Cookie headers that store a sealed transaction for 10 minutes. Each transaction has its
 * own cookie, so that two tabs can sign in at once.
 */
export const storeTransaction = (
  key: SiteKey,
  transaction: Transaction,
  cookieHeader: string | undefined,
  secure: boolean,
): string[] => {
  const expiresAt = Date.now() + lifeSeconds * 1000
  const sealed = key.seal(purpose, JSON.stringify({ ...transaction, expiresAt }))
  const others = readCookies(cookieHeader, secure).filter(([name]) => name.startsWith(prefix))
  return [
    ...others.slice(0, -maxTransactions + 1).map(([name]) => clearCookie(name, secure)),
    setCookie(cookieName(transaction.state), sealed, lifeSeconds, secure),
  ]
}

/** The Set-Cookie header that deletes the transaction with this state. */
export const deleteTransaction = (state: string, secure: boolean): string =>
  clearCookie(cookieName(state), secure)

/** The visitor's transaction with this state; null when missing or expired. */
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
