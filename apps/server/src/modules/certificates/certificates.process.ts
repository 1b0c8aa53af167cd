import type { Context } from '../../context.ts'
import { openAuthority, removeRegistration } from './certificates.accounts.ts'
import { AcmeError } from './certificates.acme-error.ts'
import { issue, keyOf, removeRecords } from './certificates.issue.ts'
import * as orders from './certificates.orders.store.ts'
import { fail, succeed } from './certificates.outcome.ts'
import { orderLifetime } from './certificates.policy.ts'
import { checkRenewalInfo } from './certificates.renewal.ts'
import { reserve } from './certificates.reservation.ts'
import { revokeDropped } from './certificates.revocation.ts'
import type { CertificateId } from './certificates.schema.ts'
import type { Certificate } from './certificates.store.ts'

/**
 * Does what is due for a certificate: orders, renews or revokes it. It may be killed at any point:
 * the next call continues. One process works on a host at a time. True when an order has ended.
 */
export async function processCertificate(ctx: Context, id: CertificateId): Promise<boolean> {
  const listed = await orders.findCertificate(ctx.db, id)
  if (!listed) return false
  const hasEnded = await ctx.locks.exclusively(`certificate ${listed.host}`, async () => {
    const certificate = await orders.findCertificate(ctx.db, id)
    if (!certificate) return false
    try {
      return await processLocked(ctx, certificate)
    } catch (error) {
      // The next server continues the work.
      if (ctx.stopping.aborted) return false
      throw error
    }
  })
  return hasEnded === true
}

async function processLocked(ctx: Context, certificate: Certificate): Promise<boolean> {
  if (certificate.droppedAt !== null) {
    await revokeDropped(ctx, certificate)
    return true
  }
  if (ctx.env.ACME_DIRECTORY === undefined) return false
  const open = await orders.findOpenOrder(ctx.db, certificate.id)
  if (open) return advance(ctx, certificate, open)
  if (certificate.dueAt > ctx.clock.now()) return false
  if (!(await mustRenew(ctx, certificate))) return false
  const order = await reserve(ctx, certificate)
  return order !== undefined && advance(ctx, certificate, order)
}

/** True if the certificate is due by its stored time, or by the CA's newest renewal information. */
async function mustRenew(ctx: Context, certificate: Certificate): Promise<boolean> {
  const { renewAt } = certificate
  if (renewAt === null || renewAt <= ctx.clock.now()) return true
  return (await checkRenewalInfo(ctx, certificate)) <= ctx.clock.now()
}

/** Takes an order as far as the CA allows now, and stores how it ended; true when it has. */
async function advance(
  ctx: Context,
  certificate: Certificate,
  order: orders.Order,
): Promise<boolean> {
  try {
    return await advanceAtAuthority(ctx, certificate, order).catch(async (error) => {
      if (!(error instanceof AcmeError) || error.type !== 'accountDoesNotExist') throw error
      await removeRegistration(ctx, order.directory)
      return advanceAtAuthority(ctx, certificate, order)
    })
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error
    if (!error.isOutage) await removeRecords(ctx, order)
    return fail(ctx, order, await withoutSecrets(ctx, order, error))
  }
}

async function advanceAtAuthority(
  ctx: Context,
  certificate: Certificate,
  order: orders.Order,
): Promise<boolean> {
  const authority = await openAuthority(ctx, order.directory)
  const pem = await issue(ctx, { certificate, order, authority })
  if (pem === undefined) return continueLater(ctx, order)
  await removeRecords(ctx, order)
  const { readChain } = await import('./certificates.chain.ts')
  const { host } = certificate
  const issued = readChain(pem, { host, key: keyOf(ctx, order), now: ctx.clock.now() })
  const hasRenewalInfo = authority.directory.renewalInfo !== undefined
  await succeed(ctx, order, issued, { hasRenewalInfo })
  return true
}

/** The CA is still processing: the sweep continues the order, unless it exceeds its lifetime. */
async function continueLater(ctx: Context, order: orders.Order): Promise<boolean> {
  const age = ctx.clock.now().getTime() - order.createdAt.getTime()
  if (age < orderLifetime) return false
  await removeRecords(ctx, order)
  const detail = 'The certificate authority did not finish the order.'
  return fail(ctx, order, new AcmeError('unfinished', { detail }))
}

/** The error without the tokens of challenges, which CAs quote. */
async function withoutSecrets(ctx: Context, order: orders.Order, error: AcmeError) {
  const challenges = await orders.listChallenges(ctx.db, order.id)
  const secrets = challenges.flatMap(({ token, response }) => [response, token])
  const detail = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), error.message)
  return detail === error.message ? error : error.withDetail(detail)
}
