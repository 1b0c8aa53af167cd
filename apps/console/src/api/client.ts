import { ApiError, type Client, createClient } from '@slipway/contract/client'
import type { Endpoint } from '@slipway/contract/endpoint'
import { getLocale } from '@slipway/phrases'
import { takeEarlyAnswer } from './early-answers.ts'
import { forgetSession, sessionToken } from './session.ts'

export const apiBase: string = import.meta.env.VITE_API_BASE ?? '/api'

/** No answer came: the network, or the server, is away. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}

const request = createClient({
  base: apiBase,
  token: sessionToken,
  locale: getLocale,
  fetch: (url, init) =>
    (takeEarlyAnswer(String(url), init) ?? fetch(url, init)).catch((cause: unknown) => {
      // What the caller gave up is no failure of the network.
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      throw new NetworkError('network', { cause })
    }),
})

let onAccessLost: (code: 'unauthorized' | 'user_not_verified') => void = () => {}

/** Who takes the user to the login or the ask-verify page; the router does. */
export function handleAccessLost(handler: typeof onAccessLost) {
  onAccessLost = handler
}

/** Ends the session on this device, as after a 401, and goes to the login page. */
export function endSession() {
  forgetSession()
  onAccessLost('unauthorized')
}

/** True for the errors that take the user elsewhere: no page needs to show them. */
export const causesRedirect = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.code === 'user_not_verified')

/**
 * Calls an endpoint of the contract with the session's token. Rejects with an ApiError, with a
 * NetworkError when no answer came, with an Error holding the text of any other answer. A 401 also ends
 * the session and leads to the login page; `user_not_verified` leads to the ask-verify page.
 */
export const call: Client = async (endpoint: Endpoint, ...given: unknown[]) => {
  const token = sessionToken()
  try {
    return await (request as (...all: unknown[]) => Promise<never>)(endpoint, ...given)
  } catch (error) {
    // A late answer to an ended session says nothing of the one that holds now.
    if (causesRedirect(error) && sessionToken() === token) {
      if (error instanceof ApiError && error.status === 401) endSession()
      else onAccessLost('user_not_verified')
    }
    throw error
  }
}
