import type { Context } from '../../context.ts'
import * as store from './certificates.store.ts'

/** The characters of base64url; at least 128 bits (RFC 8555 §8.3). A CA may send a longer one. */
const tokenPattern = /^[\w-]{22,512}$/

/**
 * The response to a request for `/.well-known/acme-challenge/<token>` at a host in lower case (RFC
 * 8555 §8.3); null when no order waits for it.
 */
export async function findChallenge(
  ctx: Pick<Context, 'db'>,
  host: string,
  token: string,
): Promise<string | null> {
  if (!tokenPattern.test(token)) return null
  return (await store.findChallenge(ctx.db, host, token)) ?? null
}
