import { minute } from '@slipway/contract/limits'
import type { Context } from '../../context.ts'
import { AcmeError } from './certificates.acme-error.ts'
import * as orders from './certificates.orders.store.ts'
import {
  renewalCheckDelay,
  renewalTime,
  spread,
  suggestedRenewalTime,
} from './certificates.policy.ts'
import type { Certificate } from './certificates.store.ts'

/**
 * Reads when the CA suggests to renew a certificate (RFC 9773), and stores the time of the renewal
 * and of the next request. Without such information, and while the CA does not respond, the time
 * follows from the certificate's life. Returns the time of the renewal.
 */
export async function checkRenewalInfo(ctx: Context, certificate: Certificate): Promise<Date> {
  const { host, startsAt, expiresAt } = certificate
  if (startsAt === null || expiresAt === null) return ctx.clock.now()
  const validity = { startsAt, expiresAt }
  const info = await read(ctx, certificate)
  const renewAt =
    info === 'none' || info === 'unknown'
      ? renewalTime(host, validity)
      : suggestedRenewalTime(host, validity, info)
  const delay = renewalCheckDelay(typeof info === 'object' ? info.retryAfter : undefined)
  const nextLook = ctx.clock.now().getTime() + delay + 10 * minute * spread(host)
  const dueAt = info === 'none' ? renewAt : new Date(Math.min(renewAt.getTime(), nextLook))
  await orders.updateCertificate(ctx.db, certificate.id, { renewAt, dueAt })
  return renewAt
}

/** `none` from a CA without it, `unknown` while it does not respond. */
async function read(ctx: Context, { directory, renewalId, host }: Certificate) {
  if (directory === null || renewalId === null) return 'none'
  const { readDirectory, readRenewalInfo } = await import('./certificates.acme.ts')
  try {
    const { renewalInfo } = await readDirectory(ctx.env, directory)
    if (renewalInfo === undefined) return 'none'
    return await readRenewalInfo(ctx.env, renewalInfo, renewalId)
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error
    ctx.log.info({ host, reason: error.message }, 'there is no renewal information')
    return 'unknown'
  }
}
