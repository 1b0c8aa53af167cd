import { day } from '@slipway/contract/limits'
import type { Context, Tx } from '../../context.ts'
import * as mail from '../mail/mail.service.ts'
import { expiryEmail, renewedEmail } from './certificates.emails.ts'
import * as orders from './certificates.orders.store.ts'
import { dueNotice, isLaterNotice } from './certificates.policy.ts'
import type { ExpiryNotice } from './certificates.schema.ts'
import * as store from './certificates.store.ts'

/** The earliest notice is sent this time before the certificate expires. */
const earliestNotice = 21 * day

type ExpiringCertificate = { certificate: store.Certificate; notice: ExpiryNotice }

/** The certificates that could not be renewed and whose next email is due, soonest end first. */
export async function expiring(ctx: Pick<Context, 'db' | 'clock'>): Promise<ExpiringCertificate[]> {
  const now = ctx.clock.now()
  const unrenewed = await store.listUnrenewed(ctx.db, new Date(now.getTime() + earliestNotice))
  return unrenewed.flatMap((certificate) => {
    const notice = noticeOf(certificate, now)
    return notice === null ? [] : [{ certificate, notice }]
  })
}

/** The email that is due; null when it was sent, or a later one. */
function noticeOf(
  { startsAt, expiresAt, problem, notice: sent, droppedAt }: store.Certificate,
  now: Date,
): ExpiryNotice | null {
  if (startsAt === null || expiresAt === null || problem === null || droppedAt) return null
  const notice = dueNotice({ startsAt, expiresAt }, now)
  return isLaterNotice(notice, sent) ? notice : null
}

/** Sends the emails that are due, each once. */
export async function sendNotices(ctx: Context): Promise<void> {
  for (const { certificate } of await expiring(ctx))
    await ctx.write(async (tx) => {
      const locked = await orders.lockCertificate(tx, certificate.id)
      const notice = locked ? noticeOf(locked, ctx.clock.now()) : null
      if (!locked || notice === null) return
      await emailMembers(ctx, tx, locked, notice, (about) => expiryEmail(notice, about))
      await orders.updateCertificate(tx, locked.id, { notice })
    })
}

/** Tells the members that a host they got an email about has a new certificate. */
export const emailRenewed = (ctx: Context, tx: Tx, certificate: store.Certificate) =>
  emailMembers(ctx, tx, certificate, 'renewed', renewedEmail)

async function emailMembers(
  ctx: Context,
  tx: Tx,
  { id, host, projectId, expiresAt }: store.Certificate,
  kind: ExpiryNotice | 'renewed',
  createEmail: typeof renewedEmail,
) {
  if (projectId === null || expiresAt === null) return
  for (const recipient of await store.listRecipients(tx, projectId)) {
    const { userId, name, email, locale, project } = recipient
    const content = createEmail({
      locale: locale ?? 'en',
      name,
      project,
      host,
      expiresAt,
      publicUrl: ctx.env.PUBLIC_URL,
    })
    // A certificate has one end: a repeated job sends no second email.
    const key = `certificate:${id}:${expiresAt.toISOString()}:${kind}:${userId}`
    await mail.send(ctx, tx, { key, to: email, ...content })
  }
}
