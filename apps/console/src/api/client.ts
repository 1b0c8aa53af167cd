import { ApiError, type Client, createClient } from '@slipway/contract/client'
import type { Endpoint } from '@slipway/contract/endpoint'
import { getLocale } from '@slipway/phrases'
import { hasErrorText } from './error-message.ts'
import { NetworkError } from './network-error.ts'
import { popPrefetchedResponse } from './prefetched-responses.ts'
import { deleteSession, sessionToken } from './session.ts'

export const apiBase: string = import.meta.env.VITE_API_BASE ?? '/api'

const send = createClient({
  base: apiBase,
  token: sessionToken,
  locale: getLocale,
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  fetch: (url, init) =>
    (popPrefetchedResponse(String(url), init) ?? fetch(url, init)).catch((cause: unknown) => {
      // The caller aborted the request; the network did not fail.
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      throw new NetworkError('network', { cause })
    }),
})

/**
 * Loads the text of an error that only signed-in users get, so that `errorMessage` has it. If its
 * chunk fails to load, the error reads as an internal one.
 */
export async function loadErrorText(error: unknown) {
  if (!(error instanceof ApiError) || hasErrorText(error.code)) return
  await import('./area-error-texts.ts').catch(() => undefined)
}

let onAccessLost: (code: 'unauthorized' | 'user_not_verified') => void = () => {}

/** Registers the handler that opens the login or the ask-verify page when access is lost. */
export function handleAccessLost(handler: typeof onAccessLost) {
  onAccessLost = handler
}

/** Ends the session on this device, as after a 401, and goes to the login page. */
export function endSession() {
  deleteSession()
  onAccessLost('unauthorized')
}

/** True for errors that redirect the user, so that no page shows them. */
export const causesRedirect = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.code === 'user_not_verified')

/** The same as `call`, but a lost session redirects nowhere and stays on this device. */
export const callSilently: Client = async (endpoint: Endpoint, ...options: unknown[]) => {
  try {
    return await (send as (...all: unknown[]) => Promise<never>)(endpoint, ...options)
  } catch (error) {
    await loadErrorText(error)
    throw error
  }
}

/**
 * Calls an endpoint of the contract with the session's token. Rejects with an ApiError for an error
 * response, a NetworkError if no response arrives, an UnreadableResponse for any other response. A
 * 401 also ends the session and goes to the login page; `user_not_verified` goes to the ask-verify
 * page.
 */
export const call: Client = async (endpoint: Endpoint, ...options: unknown[]) => {
  const token = sessionToken()
  try {
    return await (callSilently as (...all: unknown[]) => Promise<never>)(endpoint, ...options)
  } catch (error) {
    // A late response to an ended session does not end the current one.
    if (causesRedirect(error) && sessionToken() === token) {
      if (error instanceof ApiError && error.status === 401) endSession()
      else onAccessLost('user_not_verified')
    }
    throw error
  }
}
