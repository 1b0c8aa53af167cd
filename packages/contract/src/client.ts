import type { Endpoint, RequestOf, ResponseOf } from './endpoint.ts'
import type { ErrorBody, ErrorCode } from './errors.ts'
import { fileOf } from './file-response.ts'
import { type Upload, uploadMediaTypes } from './upload.ts'

/** An error response. `fields` has a message for each field of a `validation_error`. */
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

/** A response from another server, such as a proxy; `message` is its text. */
export class UnreadableResponse extends Error {
  override name = 'UnreadableResponse'
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

export type ClientOptions = {
  /** The API's address without a trailing slash: `/api` or `https://console.example.com/api`. */
  base: string
  token: () => string | null
  locale: () => string
  /** The browser's IANA time zone. Sent with requests that may start a session. */
  timeZone?: () => string
  fetch?: typeof globalThis.fetch
}

type RequestParts = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}

/** The path and query of a request, below the API's base. Undefined query values are omitted. */
export function requestPath(endpoint: Endpoint, request: RequestParts) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {}))
    if (value !== undefined) query.set(name, String(value))
  return query.size ? `${path}?${query}` : path
}

/**
 * True for the service's error shape. Any code is accepted: a newer service may have more, and the
 * list would enlarge the bundle of the login page.
 */
const isErrorBody = (value: unknown, status: number): value is ErrorBody =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  value.code === status &&
  'error' in value &&
  /^[a-z_]+$/.test(String(value.error))

function requestBody(endpoint: Endpoint, body: unknown) {
  if (body === undefined) return {}
  if (uploadMediaTypes(endpoint.body) === undefined)
    return { type: 'application/json', body: JSON.stringify(body) }
  return { type: (body as Upload).type, body: body as Upload }
}

/** The JSON of a response. Throws an ApiError or an UnreadableResponse. */
export async function readJson(response: Response): Promise<unknown> {
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
 * Creates a function that calls the endpoints of the contract. It rejects with an ApiError for an
 * error response, with an UnreadableResponse for a response in another shape, and with the error of
 * `fetch` if no response arrives.
 */
export function createClient(options: ClientOptions) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    ...[request, signal]: keyof RequestOf<E> extends never
      ? [request?: undefined, signal?: AbortSignal]
      : [request: RequestOf<E> & { idempotencyKey?: string }, signal?: AbortSignal]
  ): Promise<ResponseOf<E>> {
    const parts = (request ?? {}) as RequestParts
    const token = options.token()
    const file = fileOf(endpoint.response)
    const { type, body } = requestBody(endpoint, parts.body)
    const response = await (options.fetch ?? fetch)(options.base + requestPath(endpoint, parts), {
      method: endpoint.method,
      headers: {
        // An error is JSON even if the response would be a file.
        Accept: file ? `${file.mediaType}, application/json` : 'application/json',
        'Accept-Language': options.locale(),
        ...(options.timeZone && endpoint.access === 'public' && endpoint.method === 'POST'
          ? { 'Time-Zone': options.timeZone() }
          : {}),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(parts.idempotencyKey ? { 'Idempotency-Key': parts.idempotencyKey } : {}),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    const read = response.ok && file ? file.read : readJson
    return (await read(response)) as ResponseOf<E>
  }
}

export type Client = ReturnType<typeof createClient>
