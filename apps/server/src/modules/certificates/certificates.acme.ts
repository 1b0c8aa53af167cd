import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { rootCertificates } from 'node:tls'
import { second } from '@slipway/contract/limits'
import acme from 'acme-client'
import type { Env } from '../../env/env.ts'
import { AcmeError, errorOfBody, networkError, retryAfterOf } from './certificates.acme-error.ts'

// The client of ACME directories (RFC 8555). It is loaded by the first job that needs it.

/** Timeout of one request with its response, in milliseconds; set before each use. */
let requestTimeout = 30 * second
const responseBytes = 1_000_000

const { axios } = acme
// The library retries in place and loses the reason of a failure. Our jobs retry.
axios.interceptors.request.clear()
axios.interceptors.response.clear()
// The interceptor below reads errors.
axios.defaults.validateStatus = null
axios.defaults.maxContentLength = responseBytes
// RFC 8555 uses none, and one could lead away from https.
axios.defaults.maxRedirects = 0
axios.interceptors.request.use((config) => {
  // A CA names the addresses of its resources; RFC 8555 §6.1 requires https.
  if (!config.url?.startsWith('https://'))
    throw new AcmeError('malformed', { detail: 'the CA named an address without https://' })
  config.signal = AbortSignal.timeout(requestTimeout)
  return config
})
axios.interceptors.response.use(
  (response) => {
    const { status, data, headers } = response
    const error = errorOfBody(status, data, headers['retry-after'])
    if (error && error.type !== 'badNonce') throw error
    // The library returns the body alone.
    const retryAfter = retryAfterOf(headers['retry-after'])
    if (retryAfter !== undefined && typeof data === 'object' && data !== null)
      data.retryAfter = retryAfter
    return response
  },
  (error) => {
    throw error instanceof AcmeError ? error : networkError(error, requestTimeout)
  },
)

/** Sets the timeout, and trusts the roots of `ACME_CA_FILE` beside Node's. */
function configure({ ACME_CA_FILE: file, ACME_TIMEOUT }: Env) {
  requestTimeout = ACME_TIMEOUT * second
  if (file === undefined) return
  axios.defaults.httpsAgent = new Agent({ ca: [...rootCertificates, readFileSync(file, 'utf8')] })
}

export type Directory = {
  renewalInfo?: string
  meta?: { externalAccountRequired?: boolean }
}

/** Reads a directory (RFC 8555 §7.1.1). Throws an `AcmeError`, as every function here. */
export async function readDirectory(env: Env, url: string): Promise<Directory> {
  configure(env)
  const { data } = await axios.get(url)
  if (typeof data?.newOrder !== 'string')
    throw new AcmeError('malformed', { detail: `${url} is no ACME directory` })
  return data as Directory
}

/** A client for an account; `accountUrl` is unknown until the CA has the account. */
export function createClient(
  env: Env,
  {
    directoryUrl,
    accountKey,
    accountUrl,
    needsBinding,
  }: { directoryUrl: string; accountKey: string; accountUrl: string | null; needsBinding: boolean },
): acme.Client {
  configure(env)
  const { ACME_EAB_KEY_ID: kid, ACME_EAB_KEY: hmacKey } = env
  return new acme.Client({
    directoryUrl,
    accountKey,
    ...(accountUrl === null ? {} : { accountUrl }),
    ...(needsBinding && kid !== undefined && hmacKey !== undefined
      ? { externalAccountBinding: { kid, hmacKey } }
      : {}),
  })
}

/** A new P-256 key in PEM. */
export const newKey = async () => (await acme.crypto.createPrivateEcdsaKey('P-256')).toString()

/** A certificate signing request for the host (RFC 2986). */
export async function signingRequest(host: string, key: string): Promise<Buffer> {
  const [, request] = await acme.crypto.createCsr({ altNames: [host] }, key)
  return request
}

export type RenewalInfo = { start: Date; end: Date; retryAfter: number | undefined }

/** The window in which the CA suggests to renew a certificate (RFC 9773 §4.2). */
export async function readRenewalInfo(env: Env, url: string, id: string): Promise<RenewalInfo> {
  configure(env)
  const { data } = await axios.get(`${url.replace(/\/$/, '')}/${id}`)
  const [start, end] = [data?.suggestedWindow?.start, data?.suggestedWindow?.end].map(
    (time) => new Date(time),
  )
  if (!start || !end || !(start < end))
    throw new AcmeError('malformed', { detail: 'the renewal information has no window' })
  return { start, end, retryAfter: data.retryAfter }
}
