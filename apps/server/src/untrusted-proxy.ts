import type { IncomingMessage } from 'node:http'
import { hour } from '@slipway/contract/limits'
import type { ConnectionLimits } from './connection-limits.ts'
import type { Env } from './env/env.ts'
import { createRateLimitedLog, type Log } from './log.ts'
import { isSiteCall } from './site-calls.ts'

/** Notices a proxy in front that `TRUST_PROXY` lacks: all its visitors count as one address. */
export type ProxyWatch = {
  /** Called for each request; cheap, and never throws. */
  observe(request: Pick<IncomingMessage, 'headers' | 'socket'>): void
  /** The address of the last such proxy; undefined an hour after its last request. */
  untrusted(): string | undefined
}

const reportFor = hour

/** Warns when a proxy must terminate TLS, because the gateway does not, and none is trusted. */
export function warnOfMissingProxy(
  {
    PUBLIC_URL,
    SITES_TLS_PORT,
    TRUST_PROXY,
  }: Pick<Env, 'PUBLIC_URL' | 'SITES_TLS_PORT' | 'TRUST_PROXY'>,
  log: Pick<Log, 'warn'>,
) {
  if (!PUBLIC_URL.startsWith('https:') || SITES_TLS_PORT !== undefined || TRUST_PROXY.length > 0)
    return
  log.warn(
    {},
    'PUBLIC_URL is https, so a proxy terminates TLS, but TRUST_PROXY does not name it: its visitors share one limit, and sites see its address',
  )
}

/** Any client can send the header, so this is a hint for operators and changes no request. */
export function createProxyWatch(
  { isProxy }: Pick<ConnectionLimits, 'isProxy'>,
  log: Pick<Log, 'warn'>,
): ProxyWatch {
  const logUntrusted = createRateLimitedLog(
    'requests have forwarded headers from an address that is not in TRUST_PROXY: its visitors share one limit, and sites see its address',
  )
  let last: { address: string; seenAt: number } | undefined

  return {
    observe({ headers, socket }) {
      if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
      const address = socket.remoteAddress
      if (address === undefined || isProxy(address) || isSiteCall(address)) return
      last = { address, seenAt: performance.now() }
      logUntrusted(log, { address })
    },
    untrusted: () =>
      last && performance.now() - last.seenAt < reportFor ? last.address : undefined,
  }
}
