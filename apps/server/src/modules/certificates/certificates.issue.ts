import { setTimeout as sleep } from 'node:timers/promises'
import type acme from 'acme-client'
import type { Context } from '../../context.ts'
import type { Authority } from './certificates.accounts.ts'
import { AcmeError, errorOfResource } from './certificates.acme-error.ts'
import { type DnsRecord, runDnsHook } from './certificates.dns-hook.ts'
import * as store from './certificates.orders.store.ts'
import { pollDelay, pollTimeout } from './certificates.policy.ts'
import type { ChallengeType } from './certificates.schema.ts'
import { orderKeys } from './certificates.sealed.ts'
import type { Certificate } from './certificates.store.ts'

type Polled<Resource> = Resource & { retryAfter?: number }

export type Issuing = {
  certificate: Certificate
  order: store.Order
  authority: Authority
}

/**
 * Takes an order to its certificate (RFC 8555 §7.4) and returns it in PEM; undefined while the CA
 * is processing it. Each step reads the CA's state first and is idempotent, so that another process
 * can repeat it. Throws an `AcmeError`.
 */
export async function issue(ctx: Context, issuing: Issuing): Promise<string | undefined> {
  const { client } = issuing.authority
  const url = issuing.order.url ?? (await createOrder(ctx, issuing))
  const requested = new Set<string>()
  const end = performance.now() + pollTimeout
  for (let polls = 0; ; polls++) {
    const remote: Polled<acme.Order> = await client.getOrder({ url } as acme.Order)
    if (remote.status === 'valid') return client.getCertificate(remote)
    if (remote.status === 'invalid') throw await reasonOf(issuing, remote)
    if (remote.status === 'pending') await authorize(ctx, issuing, remote, requested)
    if (remote.status === 'ready') await finalize(ctx, issuing, remote)
    if (performance.now() > end) return undefined
    const delay = Math.max(pollDelay(polls), Math.min(remote.retryAfter ?? 0, pollDelay(Infinity)))
    await sleep(delay, undefined, { signal: ctx.stopping })
  }
}

/** Creates the order at the CA and stores its address before it is used. */
async function createOrder(ctx: Context, { certificate, order, authority }: Issuing) {
  const { host } = certificate
  const identifiers = [{ type: 'dns', value: host }]
  const { client, directory } = authority
  // RFC 9773 §5: the CA then knows a renewal, and does not count it for its limits.
  const replaces =
    directory.renewalInfo !== undefined && certificate.directory === order.directory
      ? certificate.renewalId
      : null
  const request = { identifiers, ...(replaces === null ? {} : { replaces }) }
  const { url } = await client.createOrder(request).catch((error) => {
    if (error instanceof AcmeError && error.type === 'alreadyReplaced')
      return client.createOrder({ identifiers })
    throw error
  })
  await store.updateOrder(ctx.db, order.id, { url })
  return url
}

/**
 * Responds to the challenge of each authorization that the CA has not checked (RFC 8555 §7.5), and
 * adds it to `requested`. A challenge may stay `pending` while the CA checks it.
 */
async function authorize(
  ctx: Context,
  issuing: Issuing,
  remote: acme.Order,
  requested: Set<string>,
) {
  const { certificate, order, authority } = issuing
  const { client } = authority
  for (const authorization of await client.getAuthorizations(remote)) {
    const { status, identifier, challenges } = authorization
    if (status === 'invalid') throw await reasonOf(issuing, remote)
    if (status !== 'pending') continue
    const challenge = challenges.find(({ type }) => type === certificate.challenge)
    if (!challenge)
      throw new AcmeError('rejectedIdentifier', {
        detail: `The certificate authority offers no ${certificate.challenge} challenge.`,
      })
    const isProcessing = challenge.status === 'processing'
    if (challenge.status !== 'pending' && !isProcessing) continue
    if (requested.has(challenge.url)) continue
    const storedChallenges = await store.listChallenges(ctx.db, order.id)
    // A backup has no challenges: after a restore, the CA may request one that is not stored.
    if (isProcessing && storedChallenges.some(({ token }) => token === challenge.token)) continue
    const response = await client.getChallengeKeyAuthorization(challenge)
    const type = challenge.type as ChallengeType
    const stored = {
      orderId: order.id,
      type,
      host: identifier.value,
      token: challenge.token,
      response,
    }
    await store.saveChallenge(ctx.db, { ...stored, createdAt: ctx.clock.now() })
    if (type === 'dns-01') await runDnsHook(ctx, 'add', recordOf(stored))
    if (isProcessing) continue
    await requestCheck(issuing, remote, challenge)
    requested.add(challenge.url)
  }
}

type Challenge = acme.Authorization['challenges'][number]

/** Requests the check of a challenge, unless the CA made it for an earlier process meanwhile. */
async function requestCheck({ authority }: Issuing, remote: acme.Order, challenge: Challenge) {
  const { client } = authority
  await client.completeChallenge(challenge).catch(async (error) => {
    if (!(error instanceof AcmeError) || error.type !== 'malformed') throw error
    const current = await client.getAuthorizations(remote)
    const isPending = ({ url, status }: Challenge) => url === challenge.url && status === 'pending'
    if (current.some(({ challenges }) => challenges.some(isPending))) throw error
  })
}

/** The TXT record of a DNS-01 challenge (RFC 8555 §8.4). */
const recordOf = ({ host, response }: { host: string; response: string }): DnsRecord => ({
  name: `_acme-challenge.${host}`,
  value: response,
})

export async function removeRecords(ctx: Context, { id }: store.Order) {
  for (const challenge of await store.listChallenges(ctx.db, id))
    if (challenge.type === 'dns-01')
      // A record that stays does no harm: its token works once. The log has the reason.
      await runDnsHook(ctx, 'remove', recordOf(challenge)).catch(() => undefined)
}

async function finalize(
  ctx: Context,
  { certificate, order, authority }: Issuing,
  remote: acme.Order,
) {
  const { signingRequest } = await import('./certificates.acme.ts')
  await store.updateOrder(ctx.db, order.id, { finalizedAt: ctx.clock.now() })
  order.finalizedAt = ctx.clock.now()
  await authority.client.finalizeOrder(
    remote,
    await signingRequest(certificate.host, keyOf(ctx, order)),
  )
}

/** The private key of an open order, in PEM. */
export const keyOf = ({ sealing }: Pick<Context, 'sealing'>, { id, sealedKey }: store.Order) =>
  orderKeys.open(sealing, id, sealedKey).toString()

/** Why an order failed: by the challenge that failed, else by its own error. */
async function reasonOf({ authority }: Issuing, remote: acme.Order): Promise<AcmeError> {
  for (const { challenges } of await authority.client.getAuthorizations(remote)) {
    const failed = challenges.find(({ status, error }) => status === 'invalid' && error)
    if (failed) {
      const error = errorOfResource(failed.error, { isOfChallenge: true })
      return error
    }
  }
  return errorOfResource(remote.error, { isOfChallenge: false })
}
