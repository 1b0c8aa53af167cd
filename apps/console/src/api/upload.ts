import { createClient } from '@slipway/contract/client'
import type { ProjectId } from '@slipway/contract/projects'
import { createRelease, type Release } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { getLocale } from '@slipway/phrases'
// The upload's errors do not pass through `call`, which loads their texts.
import './area-error-texts.ts'
import { apiBase } from './client.ts'
import { NetworkError } from './network-error.ts'
import { sessionToken } from './session.ts'

/** Sends a request with XMLHttpRequest: `fetch` reports no progress of an upload. */
const fetchWithProgress =
  (onProgress: (share: number) => void): typeof fetch =>
  (url, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', String(url))
      new Headers(init.headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new NetworkError('network'))
      request.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'))
      init.signal?.addEventListener('abort', () => request.abort())
      request.send(init.body as Blob)
    })

/**
 * Uploads an archive as the project's next release, by default of its own runtime; `onProgress`
 * gets the share that was sent, from 0 to 1. Rejects as `call` does, and with an `AbortError` when
 * it is canceled.
 */
export const uploadRelease = (
  id: ProjectId,
  archive: Blob,
  {
    onProgress,
    ...options
  }: {
    runtime: Runtime | undefined
    onProgress: (share: number) => void
    signal: AbortSignal
    idempotencyKey: string
  },
): Promise<Release> =>
  createClient({
    base: apiBase,
    token: sessionToken,
    locale: getLocale,
    fetch: fetchWithProgress(onProgress),
  })(
    createRelease,
    {
      params: { id },
      query: { runtime: options.runtime },
      body: archive,
      idempotencyKey: options.idempotencyKey,
    },
    options.signal,
  )
