import type acme from 'acme-client'
import type { Context } from '../../context.ts'
import { type Authority, openAuthority } from './certificates.accounts.ts'
import { AcmeError } from './certificates.acme-error.ts'
import { issue, keyOf, removeRecords } from './certificates.issue.ts'
import * as orders from './certificates.orders.store.ts'
import { retryDelay } from './certificates.policy.ts'
import type { Certificate } from './certificates.store.ts'
import { openCertificate } from './certificates.with-key.ts'

/** RFC 5280 §5.3.1: the name is no longer ours, or its site was deleted. */
const cessationOfOperation = 5

/**
 * Revokes the certificate of a host that was removed (RFC 8555 §7.6), and the one of an order in
 * progress, then deletes both. Without a CA in the settings it deletes them only. Retries later
 * when the CA does not respond, until the certificate expires.
 */
export async function revokeDropped(ctx: Context, certificate: Certificate): Promise<void> {
  const { id, host } = certificate
  const now = ctx.clock.now()
  if (!(await orders.startRevoking(ctx.db, id, now))) return
  try {
    if (ctx.env.ACME_DIRECTORY !== undefined) {
      await revokeStored(ctx, certificate)
      await revokeOrdered(ctx, certificate)
    }
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error
    ctx.log.warn({ host, reason: error.message }, 'a certificate could not be revoked yet')
    const failures = certificate.failures + 1
    const delay = Math.max(retryDelay(failures, host), error.retryAfter ?? 0)
    const dueAt = new Date(now.getTime() + delay)
    return orders.updateCertificate(ctx.db, id, { failures, dueAt })
  }
  await ctx.write(async (tx) => {
    const open = await orders.findOpenOrder(tx, id)
    if (open) await orders.endOrder(tx, open.id, 'dropped', now)
    await orders.removeCertificate(tx, id)
  })
}

async function revokeStored(ctx: Context, certificate: Certificate) {
  const { id, sealed, directory, expiresAt } = certificate
  if (sealed === null || directory === null || !expiresAt || expiresAt <= ctx.clock.now()) return
  const [leaf = ''] = openCertificate(ctx.sealing, { id, sealed }).chain
  await revoke(await openAuthority(ctx, directory), leaf)
  await orders.updateCertificate(ctx.db, id, { sealed: null })
  ctx.log.info({ host: certificate.host }, 'a certificate is revoked')
}

/** Ends an order in progress: a certificate that the CA issues anyway is revoked. */
async function revokeOrdered(ctx: Context, certificate: Certificate) {
  const order = await orders.findOpenOrder(ctx.db, certificate.id)
  if (!order || order.url === null) return
  const authority = await openAuthority(ctx, order.directory)
  await removeRecords(ctx, order)
  if (order.finalizedAt === null) return deactivate(authority, order.url)
  const pem = await issue(ctx, { certificate, order, authority }).catch((error) => {
    // The CA rejects the request: the certificate is already revoked or expired.
    if (error instanceof AcmeError && !error.isOutage) return null
    throw error
  })
  if (pem === null) return
  if (pem === undefined)
    throw new AcmeError('unfinished', { detail: 'The certificate authority is still processing.' })
  const { readChain } = await import('./certificates.chain.ts')
  const { host } = certificate
  const { certificateWithKey } = readChain(pem, {
    host,
    key: keyOf(ctx, order),
    now: ctx.clock.now(),
  })
  await revoke(authority, certificateWithKey.chain[0] ?? '')
}

/**
 * Deactivates the authorizations of an order, which the CA would otherwise wait for (RFC 8555
 * §7.5.2).
 */
async function deactivate({ client }: Authority, url: string) {
  const remote = await client.getOrder({ url } as acme.Order)
  for (const authorization of await client.getAuthorizations(remote))
    if (authorization.status === 'pending') await client.deactivateAuthorization(authorization)
}

async function revoke({ client }: Authority, leaf: string) {
  try {
    await client.revokeCertificate(leaf, { reason: cessationOfOperation })
  } catch (error) {
    if (!(error instanceof AcmeError) || error.type !== 'alreadyRevoked') throw error
  }
}
