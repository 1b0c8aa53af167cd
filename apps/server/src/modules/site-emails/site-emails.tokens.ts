import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { EmailAccess } from '../../engines/hosting/engine.ts'
import * as secrets from '../secrets/secrets.service.ts'

type Ctx = Pick<Context, 'clock' | 'env' | 'sealing' | 'write'>

/**
 * The token with which the pods of a site send its emails, 256 bits in base64url. It is derived
 * from a shared key, so it is never stored. Keys of projects are never used again.
 */
async function tokenOf(ctx: Ctx, key: string): Promise<string> {
  const secret = await secrets.sharedKey(ctx, 'site-emails')
  return createHmac('sha256', secret).update(`token of ${key}`).digest('base64url')
}

/** Where the pods of a site send its emails, and with which token. */
export async function emailAccess(ctx: Ctx, key: string): Promise<EmailAccess> {
  const base = ctx.env.KUBERNETES_SERVICE_URL ?? ctx.env.PUBLIC_URL
  return { url: new URL(`/site-emails/${key}`, base).href, token: await tokenOf(ctx, key) }
}

/** True for the Authorization header of a site's own pods. */
export async function isSiteAuthorized(ctx: Ctx, key: string, header: string | undefined) {
  const expected = Buffer.from(`Bearer ${await tokenOf(ctx, key)}`)
  const received = Buffer.from(header ?? '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
