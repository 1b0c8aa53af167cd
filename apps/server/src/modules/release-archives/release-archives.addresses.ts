import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { day } from '@slipway/contract/limits'
import type { Context } from '../../context.ts'
import * as secrets from '../secrets/secrets.service.ts'

type Ctx = Pick<Context, 'clock' | 'env' | 'sealing' | 'write'>

/**
 * The permission of a signed address: to get the files of a release or, with a part, to get or send
 * its packages.
 */
type Permission = { artifact: string; part?: string | undefined }

async function sign(ctx: Ctx, { artifact, part }: Permission, until: number) {
  const key = await secrets.sharedKey(ctx, 'release archives')
  const signed = part === undefined ? [artifact, until] : [artifact, part, until]
  return createHmac('sha256', key).update(signed.join('\n')).digest('hex')
}

/** The time of day in milliseconds at which the addresses of an artifact expire. */
const expiryTimeOf = (artifact: string) =>
  createHash('sha256').update(artifact).digest().readUInt32BE() % day

/**
 * An address that the web servers accept from machines that run sites, with its expiry in
 * milliseconds. Calls within a day return the same address. It is valid for at least another day.
 * Artifacts expire at different times of day, so that sites do not all need new addresses at once.
 */
export async function signedAddress(
  ctx: Ctx,
  path: string,
  permission: Permission,
): Promise<{ url: string; until: number }> {
  const expiryTime = expiryTimeOf(permission.artifact)
  const days = Math.floor((ctx.clock.now().getTime() - expiryTime) / day) + 2
  const until = days * day + expiryTime
  const url = new URL(path, ctx.env.KUBERNETES_SERVICE_URL ?? ctx.env.PUBLIC_URL)
  const signature = await sign(ctx, permission, until)
  const { part } = permission
  if (part !== undefined) url.searchParams.set('part', part)
  url.searchParams.set('until', String(until))
  url.searchParams.set('signature', signature)
  return { url: url.href, until }
}

/** True for the signature of an address that has not expired. */
export async function isSigned(
  ctx: Ctx,
  permission: Permission,
  query: { until?: unknown; signature?: unknown },
): Promise<boolean> {
  const until = Number(query.until)
  if (!Number.isSafeInteger(until) || until <= ctx.clock.now().getTime()) return false
  const expected = Buffer.from(await sign(ctx, permission, until))
  const received = Buffer.from(String(query.signature))
  return received.length === expected.length && timingSafeEqual(received, expected)
}
