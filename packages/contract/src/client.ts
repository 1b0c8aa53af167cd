import type { Endpoint, RequestOf, ResponseOf } from './endpoint.ts'
import type { ErrorBody, ErrorCode } from './errors.ts'
import { type FileResponse, fileMediaType } from './file-response.ts'

/** An error the service answered. `fields` has a message for each field of a `validation_error`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly context: string | undefined
  readonly fields: Record<string, string>

  constructor(status: number, body: ErrorBody) {
    super(body.error)
    this.name = 'ApiError'
    this.status = status
    this.code = body.error
    this.context = body.context
    this.fields = body.root ?? {}
  }
}

/** An answer that is none of the service's, such as that of a proxy before it; `message` is its text. */
export class UnreadableResponse extends Error {
  override name = 'UnreadableResponse'
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

export type ClientOptions = {
  /** Where the API is, without a slash at the end: `/api` or `https://console.example.com/api`. */
  base: string
  token: () => string | null
  locale: () => string
  fetch?: typeof globalThis.fetch
}

type Given = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** The path of a call with its parameters and query filled in, below the API's base. */
export function requestPath(endpoint: Endpoint, given: Given) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(given.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given.query ?? {}))
    if (value !== undefined) query.set(name, String(value))
  return query.size ? `${path}?${query}` : path
}

/**
 * True for the service's error shape, which is known without the list of the codes: that would be loaded
 * with the login page, and a newer service may have more of them.
 */
const isErrorBody = (value: unknown, status: number): value is ErrorBody =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  value.code === status &&
  'error' in value &&
  /^[a-z_]+$/.test(String(value.error))

/** The file that the answer holds, with the name that it gives it (RFC 6266 §4.3). */
async function readFile(response: Response): Promise<FileResponse> {
  const disposition = response.headers.get('content-disposition') ?? ''
  return {
    name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? '',
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

/** What the answer holds as JSON; throws what it is instead. */
async function read(response: Response): Promise<unknown> {
  const { ok, status } = response
  if (status === 204) return undefined
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (ok) return body
    if (isErrorBody(body, status)) throw new ApiError(status, body)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new UnreadableResponse(status, text)
}

/**
 * Calls the endpoints of the contract. Rejects with an ApiError for an answer in the service's error
 * shape, with an UnreadableResponse for any other and for one that is not JSON, with what `fetch` throws when
 * there is none.
 */
export function createClient(options: ClientOptions) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    ...[given, signal]: keyof RequestOf<E> extends never
      ? [given?: undefined, signal?: AbortSignal]
      : [given: RequestOf<E>, signal?: AbortSignal]
  ): Promise<ResponseOf<E>> {
    const parts = (given ?? {}) as Given
    const token = options.token()
    const wanted = fileMediaType(endpoint.response)
    const response = await (options.fetch ?? fetch)(options.base + requestPath(endpoint, parts), {
      method: endpoint.method,
      headers: {
        // An error is JSON, whatever the answer would have been.
        Accept: wanted === undefined ? 'application/json' : `${wanted}, application/json`,
        'Accept-Language': options.locale(),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(parts.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      ...(signal ? { signal } : {}),
    })
    const isFile = wanted !== undefined && response.ok
    return (await (isFile ? readFile(response) : read(response))) as ResponseOf<E>
  }
}

export type Client = ReturnType<typeof createClient>
