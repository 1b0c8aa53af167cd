import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, createClient, UnreadableResponse } from '@slipway/contract/client'
import { second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError, NoResponse } from './command-error.ts'

const requestTimeout = 30 * second
/** The delays before each retry of a call without a response. */
const retryDelays = [0.5 * second, second]

/** The statuses of a proxy whose service does not respond (RFC 9110 §15.6.3 to §15.6.5). */
const proxyErrors = [502, 503, 504]

const defaultUrl = 'http://localhost:3000'

/** The origin of the service's URL. Throws a `CommandError` if the URL is invalid. */
export function serviceUrl(requestedUrl: string | undefined, locale: Locale): string {
  const text = requestedUrl || defaultUrl
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new CommandError(m.terminal_url_invalid({ url: text }, { locale }))
  return url.origin
}

/** True if requests to this URL cross a network without encryption. */
export const isUnencrypted = (url: string) => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/**
 * The contract's client for a service. Rejects with an `ApiError` if the service rejects a call,
 * with a `NoResponse` if it is down, and with a `CommandError` if another server responds. `signal`
 * ends every call, `timeoutMs` each call without its own signal.
 */
export function createService(
  url: string,
  token: string | null,
  locale: Locale,
  {
    send = fetch,
    signal: stopSignal,
    timeoutMs = requestTimeout,
  }: { send?: typeof fetch; signal?: AbortSignal; timeoutMs?: number } = {},
): Client {
  const client = createClient({
    base: `${url}/api`,
    token: () => token,
    locale: () => locale,
    fetch: async (input, init) => {
      try {
        // The caller of a long request, such as an upload, brings its own signal.
        const callSignal = init?.signal ?? AbortSignal.timeout(timeoutMs)
        const signal = stopSignal ? AbortSignal.any([callSignal, stopSignal]) : callSignal
        const response = await send(input, { ...init, signal })
        // Reads the body here, because the connection may break during it.
        return new Response(response.status === 204 ? null : await response.arrayBuffer(), response)
      } catch (cause) {
        init?.signal?.throwIfAborted()
        stopSignal?.throwIfAborted()
        throw new NoResponse(m.terminal_no_response({ url }, { locale }), { cause })
      }
    },
  })
  return (endpoint, ...input) =>
    client(endpoint, ...input).catch((error) => {
      stopSignal?.throwIfAborted()
      throw requestError(error, url, locale)
    })
}

/** Tells an error response of the service, no response, and one of another server apart. */
export function requestError(cause: unknown, url: string, locale: Locale): ApiError | CommandError {
  if (cause instanceof ApiError || cause instanceof CommandError) return cause
  // A proxy responds for an unreachable service, for example during its restart.
  if (cause instanceof UnreadableResponse && !proxyErrors.includes(cause.status))
    return new CommandError(m.terminal_not_slipway({ url }, { locale }), { cause })
  return new NoResponse(m.terminal_no_response({ url }, { locale }), { cause })
}

const temporaryErrors = ['unavailable', 'too_many_requests', 'too_many_streams'] as const

/** True if the same request may succeed later. */
export const isTemporary = (error: unknown) =>
  error instanceof NoResponse || isApiError(error, ...temporaryErrors)

/** `delays` in milliseconds. `signal` ends a delay, and `onRetry` is called before each. */
export type RetryOptions = {
  delays?: readonly number[]
  signal?: AbortSignal
  onRetry?: () => void
}

/**
 * Makes an idempotent call, and retries it while it gets no response, the service is not available
 * or has too many requests.
 */
export async function withRetries<Result>(
  call: () => Promise<Result>,
  { delays = retryDelays, signal, onRetry }: RetryOptions = {},
): Promise<Result> {
  for (const delay of delays) {
    try {
      return await call()
    } catch (error) {
      if (!isTemporary(error)) throw error
      onRetry?.()
      await sleep(delay, undefined, { signal })
    }
  }
  return call()
}
