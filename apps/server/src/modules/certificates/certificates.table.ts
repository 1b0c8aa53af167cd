import type { Context } from '../../context.ts'
import { followChanges } from '../../db/follow-changes.ts'
import type { Notifications } from '../../db/notifications.ts'
import * as store from './certificates.store.ts'
import { openCertificate } from './certificates.with-key.ts'

/** Certificates of one query, so that a full read needs little memory at once. */
const pageSize = 500

/** A certificate with its chain, and its key, in PEM. The `etag` changes with the certificate. */
export type FoundCertificate = { certificate: string; key: string; etag: string }

type Entry = { leaf: string; issuers: string; key: string; etag: string }

export async function createCertificateTable(
  ctx: Pick<Context, 'db' | 'sealing' | 'log' | 'stopping'>,
  notifications: Notifications,
) {
  let entries = new Map<string, Entry>()
  /** A CA has few issuer chains; hosts share the string of theirs. */
  const knownIssuers = new Map<string, string>()

  function toEntry(row: store.ServedCertificate): Entry | undefined {
    try {
      const { chain, key } = openCertificate(ctx.sealing, row)
      const [leaf = '', ...others] = chain
      const issuers = others.join('')
      const sharedIssuers = knownIssuers.get(issuers) ?? issuers
      knownIssuers.set(sharedIssuers, sharedIssuers)
      return { leaf, issuers: sharedIssuers, key, etag: row.fingerprint ?? '' }
    } catch (err) {
      // The other hosts keep their certificates.
      ctx.log.error({ err, host: row.host }, 'a certificate cannot be opened')
      return undefined
    }
  }

  async function readAll() {
    const read = new Map<string, Entry>()
    let last: store.ServedCertificate | undefined
    for (;;) {
      const page = await store.listServed(ctx.db, last, pageSize)
      for (const row of page) {
        const entry = toEntry(row)
        if (entry) read.set(row.host, entry)
      }
      if (page.length < pageSize) break
      last = page.at(-1)
    }
    entries = read
  }

  async function readOne(host: string) {
    const row = await store.findServed(ctx.db, host)
    const entry = row && toEntry(row)
    if (entry) entries.set(host, entry)
    else entries.delete(host)
  }

  await followChanges(ctx, notifications, {
    name: 'the certificates',
    channel: store.channel,
    readAll,
    readAfter: (host) => () => readOne(host),
  })

  return {
    /** The host's own certificate, or a wildcard's (RFC 6125 §6.4.3). `host`: in lower case. */
    find(host: string): FoundCertificate | undefined {
      const entry = entries.get(host) ?? entries.get(`*${host.slice(host.indexOf('.'))}`)
      if (!entry) return undefined
      const { leaf, issuers, key, etag } = entry
      return { certificate: leaf + issuers, key, etag }
    },
  }
}
