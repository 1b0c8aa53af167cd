import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { KubeConfig } from '@kubernetes/client-node'
import { Agent, type Dispatcher } from 'undici'
import {
  errorOfBrokenBody,
  errorOfResponse,
  errorWithoutResponse,
  type Status,
} from './api-error.ts'

export type CallOptions = {
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  contentType?: string
  signal?: AbortSignal | undefined
  /** The longest wait for the response headers, and between two parts of the body. */
  timeoutMs?: number
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The API server of one cluster. */
export type Connection = {
  /** Reads the credentials before the first call needs them. Rejects when there are none. */
  open(): Promise<void>
  /** The address of the API server in the kubeconfig. */
  server(): Promise<URL>
  /** The body of a response as JSON. Rejects with an `ApiError`. */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>
  /** The body of a response as text. Rejects with an `ApiError`. */
  text(path: string, options?: CallOptions): Promise<string>
  /** The lines of a response as they arrive, as JSON. Rejects with an `ApiError`. */
  lines(path: string, options?: CallOptions): AsyncIterable<unknown>
  /** The text of a response as it arrives. Rejects with an `ApiError`. */
  chunks(path: string, options?: CallOptions): AsyncIterable<string>
  close(): Promise<void>
}

const defaultTimeoutMs = 15_000
const connectTimeoutMs = 5_000
/** Calls at once to the API server of one cluster; watches have their own connections. */
const connections = 24

type TlsOptions = {
  ca?: string | Buffer
  cert?: string | Buffer
  key?: string | Buffer
  pfx?: string | Buffer
  passphrase?: string
  servername?: string
  rejectUnauthorized?: boolean
}

/** The options that client-node fills in: certificates, and headers with a token. */
type SecurityOptions = TlsOptions & {
  auth?: string
  headers?: Record<string, string>
  agent?: unknown
}

type Access = { config: KubeConfig; server: string }

/**
 * Calls to the API server of a kubeconfig's context, on one pool of connections. Credentials
 * rotate: tokens in files and of commands are read at each call, and the whole kubeconfig again
 * when the server rejects them. The pool is replaced when its certificates change.
 */
export function createConnection(
  readConfig: () => Promise<KubeConfig>,
  defaults: Required<Pick<CallOptions, 'timeoutMs'>> = { timeoutMs: defaultTimeoutMs },
): Connection {
  let opened: Promise<Access> | undefined
  let pool: { calls: Agent; streams: Agent; fingerprint: string } | undefined

  function poolOf(tls: TlsOptions) {
    const fingerprint = createHash('sha256').update(JSON.stringify(tls)).digest('hex')
    if (pool?.fingerprint === fingerprint) return pool
    void pool?.calls.close()
    void pool?.streams.close()
    const connect = { ...tls, timeout: connectTimeoutMs, keepAlive: true }
    pool = {
      calls: new Agent({ connections, connect, allowH2: false, bodyTimeout: 0 }),
      // Each watch, and each followed log, has its own connection.
      streams: new Agent({ connect, allowH2: false, bodyTimeout: 0 }),
      fingerprint,
    }
    return pool
  }

  async function read(): Promise<Access> {
    const config = await readConfig()
    const cluster = config.getCurrentCluster()
    if (!cluster) throw new Error('The kubeconfig has no cluster for its context')
    return { config, server: cluster.server.replace(/\/$/, '') }
  }

  const open = () => {
    opened ??= read()
    return opened
  }

  /** Reads the kubeconfig again, once for all calls that used the same. */
  const reopen = (rejected: Promise<Access>) => {
    // A file that is being replaced cannot be read.
    if (opened === rejected) opened = read().catch(() => rejected)
    return open()
  }

  async function security(config: KubeConfig) {
    const options: SecurityOptions = {}
    await config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0])
    const { auth, headers = {}, agent: _agent, ...tls } = options
    const basic = auth && { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }
    return { headers: { ...headers, ...basic }, pool: poolOf(tls) }
  }

  async function request(
    { config, server }: Access,
    method: Method,
    path: string,
    options: CallOptions,
    kind: 'calls' | 'streams',
  ): Promise<Dispatcher.ResponseData> {
    const { query = {}, body, contentType, signal, timeoutMs = defaults.timeoutMs } = options
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) parameters.set(name, String(value))
    try {
      const { headers, pool: agents } = await security(config)
      return await agents[kind].request({
        origin: server,
        path: parameters.size > 0 ? `${path}?${parameters}` : path,
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: signal ?? null,
      })
    } catch (error) {
      throw errorWithoutResponse(`${method} ${path}`, error)
    }
  }

  async function send(
    method: Method,
    path: string,
    options: CallOptions,
    kind: 'calls' | 'streams' = 'calls',
  ) {
    const access = open()
    let response = await request(await access, method, path, options, kind)
    if (response.statusCode === 401) {
      await response.body.dump().catch(() => undefined)
      response = await request(await reopen(access), method, path, options, kind)
    }
    if (response.statusCode < 300) return response
    const text = await response.body.text().catch(() => '')
    const retryAfter = response.headers['retry-after']
    throw errorOfResponse(
      `${method} ${path}`,
      response.statusCode,
      parseStatus(text),
      typeof retryAfter === 'string' ? retryAfter : undefined,
    )
  }

  async function textOf(method: Method, path: string, options: CallOptions): Promise<string> {
    const response = await send(method, path, options)
    try {
      return await response.body.text()
    } catch (error) {
      throw errorWithoutResponse(`${method} ${path}`, error)
    }
  }

  return {
    open: async () => void (await open()),
    server: async () => new URL((await open()).server),
    async call(method, path, options = {}) {
      const text = await textOf(method, path, options)
      try {
        return JSON.parse(text)
      } catch (error) {
        // The page of a balancer, for example.
        throw errorWithoutResponse(`${method} ${path}`, error)
      }
    },
    text: (path, options = {}) => textOf('GET', path, options),

    async *lines(path, options = {}) {
      const { body, statusCode } = await send('GET', path, options, 'streams')
      const lines = createInterface({ input: body })
      // Both the interface and the body emit the body's errors, and the error of `destroy` below.
      let failure: unknown
      const fail = (error: Error) => {
        failure = error
        lines.close()
      }
      body.on('error', fail)
      lines.on('error', fail)
      try {
        for await (const line of lines) if (line !== '') yield JSON.parse(line)
        if (failure !== undefined) throw failure
      } catch (error) {
        throw errorOfBrokenBody(`GET ${path}`, statusCode, error)
      } finally {
        body.destroy()
      }
    },

    async *chunks(path, options = {}) {
      const { body, statusCode } = await send('GET', path, options, 'streams')
      try {
        body.setEncoding('utf8')
        for await (const chunk of body) yield String(chunk)
      } catch (error) {
        throw errorOfBrokenBody(`GET ${path}`, statusCode, error)
      } finally {
        body.destroy()
      }
    },

    close: async () => {
      await pool?.calls.destroy()
      await pool?.streams.destroy()
    },
  }
}

/** A proxy in between may respond with anything. */
function parseStatus(text: string): Status {
  try {
    const status = JSON.parse(text) as Status | null
    return typeof status === 'object' && status !== null ? status : {}
  } catch {
    return { message: text.slice(0, 300) }
  }
}
