import type { CertificateProblem } from '@slipway/contract/domains'
import { second } from '@slipway/contract/limits'
import { maxRetryAfter } from './certificates.policy.ts'

/** Characters of an error that are stored and shown. */
const detailMax = 500
const prefix = 'urn:ietf:params:acme:error:'

type Body = {
  type?: unknown
  detail?: unknown
  subproblems?: { type?: unknown; detail?: unknown }[]
}

type AcmeErrorDetails = {
  detail: string
  status?: number | null
  retryAfter?: number | undefined
  isOfChallenge?: boolean
}

/** An error of a CA, or of the connection to it. `message` is safe to show. */
export class AcmeError extends Error {
  /** A type of RFC 8555 §6.7 without its prefix; `network` or `malformed` without a response. */
  readonly type: string
  /** Null without a response. */
  readonly status: number | null
  /** In milliseconds. */
  readonly retryAfter: number | undefined
  /** True for the failure of a challenge: it concerns the host alone. */
  readonly isOfChallenge: boolean

  constructor(
    type: string,
    { detail, status = null, retryAfter, isOfChallenge = false }: AcmeErrorDetails,
  ) {
    super(readable(detail))
    this.type = type
    this.status = status
    this.retryAfter = retryAfter
    this.isOfChallenge = isOfChallenge
  }

  withDetail(detail: string): AcmeError {
    const { type, status, retryAfter, isOfChallenge } = this
    return new AcmeError(type, { detail, status, retryAfter, isOfChallenge })
  }

  /** True when the CA itself fails, for any order. */
  get isOutage() {
    return this.type === 'network' || this.type === 'serverInternal' || (this.status ?? 0) >= 500
  }
}

/** The types of failed validations: the CA did not reach the host, or another server responded. */
const validation = ['connection', 'dns', 'tls', 'incorrectResponse', 'unauthorized']
/** The types with which a CA rejects a host. */
const refusal = ['rejectedIdentifier', 'unsupportedIdentifier']

/** True when the CA has checked the host: any other CA would find the same. */
const isAboutHost = ({ type, isOfChallenge }: AcmeError) =>
  isOfChallenge && validation.includes(type)

/**
 * The problem of the host behind an error (RFC 8555 §6.7). Errors of our account are `internal`.
 */
export function problemOf(error: AcmeError): CertificateProblem {
  const { type, isOutage } = error
  if (isOutage) return 'unreachable'
  if (type === 'rateLimited') return 'rate_limited'
  if (type === 'caa' || type === 'clock') return type
  return isAboutHost(error) || refusal.includes(type) ? 'refused' : 'internal'
}

/** True for a failure that may not happen at another CA. */
export const mayDifferElsewhere = (error: AcmeError) =>
  !isAboutHost(error) && error.type !== 'clock'

/**
 * True when a CA limits this host or its domain, not us: other hosts continue. The text is the only
 * sign of it, such as "too many certificates already issued for this exact set of domains" and "too
 * many failed authorizations for shop.example".
 */
export function limitsOnlyHost({ message }: AcmeError, host: string): boolean {
  if (/\bexact set\b/i.test(message)) return true
  const labels = host.replace(/^\*\./, '').split('.')
  const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  const words = message.toLowerCase().split(/[^a-z0-9.*-]+/)
  return words.some((word) => names.includes(word.replace(/^\*\.|\.$/g, '')))
}

/** A text of a CA: one line without control characters, cut to a limit. */
const readable = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, detailMax)

/** The milliseconds of a `Retry-After` header, seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterOf(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined
  const milliseconds = /^\d+$/.test(header)
    ? Number(header) * 1000
    : new Date(header).getTime() - Date.now()
  return Number.isFinite(milliseconds)
    ? Math.min(Math.max(milliseconds, 0), maxRetryAfter)
    : undefined
}

/** The error of a response or of a resource in it; undefined when it has none (RFC 7807). */
export function errorOfBody(
  status: number,
  body: unknown,
  retryAfter?: unknown,
): AcmeError | undefined {
  if (status < 400) return undefined
  return toError(body, { status, retryAfter: retryAfterOf(retryAfter) })
}

/** The error of a failed order or challenge (RFC 8555 §7.1). */
export const errorOfResource = (error: unknown, { isOfChallenge }: { isOfChallenge: boolean }) =>
  toError(error, { isOfChallenge })

function toError(body: unknown, details: Omit<AcmeErrorDetails, 'detail'>): AcmeError {
  const { type, detail, subproblems }: Body = typeof body === 'object' && body !== null ? body : {}
  const outerType = typeof type === 'string' ? type.replace(prefix, '') : 'unknown'
  // RFC 8555 §6.7.1: `compound` has a subproblem for each identifier, and we order one host.
  const first = outerType === 'compound' && Array.isArray(subproblems) ? subproblems[0] : undefined
  const words = [detail, first?.detail].filter((text) => typeof text === 'string' && text !== '')
  const status = details.status ?? null
  return new AcmeError(
    typeof first?.type === 'string' ? first.type.replace(prefix, '') : outerType,
    {
      detail: words.join(' ') || (status === null ? 'No reason was given.' : `HTTP ${status}`),
      ...details,
    },
  )
}

/** The error of a request without a response, with its timeout in milliseconds. */
export function networkError(error: unknown, timeout: number): AcmeError {
  const { code, message } = error as { code?: string; message?: string }
  const isTimeout = code === 'ERR_CANCELED' || code === 'ECONNABORTED' || code === 'ETIMEDOUT'
  const reason = isTimeout
    ? `no response within ${timeout / second} seconds`
    : (message ?? String(error))
  return new AcmeError('network', { detail: `The certificate authority: ${reason}` })
}
