import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { certificates } from './certificates.schema.ts'
import * as store from './certificates.store.ts'
import { type CertificateWithKey, sealCertificate } from './certificates.with-key.ts'

const day = 24 * 3600_000

/** Stores the certificate of a host as if a CA had issued it, and notifies every gateway. */
export async function storeCertificate(
  ctx: Context,
  {
    host,
    projectId = null,
    certificateWithKey,
    ...overrides
  }: {
    host: string
    projectId?: ProjectId | null
    certificateWithKey: CertificateWithKey
  } & Partial<store.Certificate>,
) {
  const id = newId<'Certificate'>()
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + 90 * day)
  await ctx.write(async (tx) => {
    await tx.insert(certificates).values({
      id,
      host,
      projectId,
      challenge: host.startsWith('*.') ? 'dns-01' : 'http-01',
      sealed: sealCertificate(ctx.sealing, id, certificateWithKey),
      fingerprint: `fingerprint of ${certificateWithKey.chain[0]}`,
      issuer: 'Example CA',
      startsAt: now,
      expiresAt,
      renewAt: new Date(now.getTime() + 60 * day),
      dueAt: new Date(now.getTime() + 60 * day),
      createdAt: now,
      ...overrides,
    })
    await store.notify(tx, host)
  })
  return id
}
