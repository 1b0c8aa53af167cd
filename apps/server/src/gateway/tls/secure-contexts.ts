import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { Log } from '../../log.ts'
import type { Certificate, Certificates } from './certificates.ts'
import { tlsPolicy } from './tls-policy.ts'

const cachedContexts = 1_000

/** The host of a name that a client sent (RFC 6066 §3). */
export const hostOfServerName = (name: string) => name.toLowerCase().replace(/\.$/, '')

/**
 * The OpenSSL contexts of the certificates in use, by etag: names with the same certificate share
 * one, and a renewed certificate serves the next handshake while open connections continue.
 */
export function createSecureContexts(certificates: Certificates, log: Pick<Log, 'error'>) {
  const contexts = new LRUCache<string, { context: SecureContext | undefined }>({
    max: cachedContexts,
  })

  function create({ certificate: cert, key }: Certificate, host: string) {
    try {
      return createSecureContext({ ...tlsPolicy, cert, key })
    } catch (err) {
      // Visitors of this host get the self-signed certificate; other hosts are not affected.
      log.error({ err, host }, 'A certificate cannot be used')
      return undefined
    }
  }

  return {
    /** The context for a name that a client sent; undefined without a certificate. */
    find(name: string): SecureContext | undefined {
      const host = hostOfServerName(name)
      const certificate = certificates.find(host)
      if (!certificate) return undefined
      // A failure is cached, too: otherwise each handshake would repeat it, and log it.
      const cached = contexts.get(certificate.etag) ?? { context: create(certificate, host) }
      contexts.set(certificate.etag, cached)
      return cached.context
    },
  }
}
