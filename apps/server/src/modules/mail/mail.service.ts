import type { Context, Tx } from '../../context.ts'
import type { MailId } from './mail.schema.ts'
import * as store from './mail.store.ts'
import { asHtml, asText, type Email } from './mail.template.ts'
import { deliver as deliverBySmtp } from './mail.transport.ts'

export { asName, type Email } from './mail.template.ts'

/** Name of the job that delivers one email. */
export const deliverJob = 'mail.deliver'

/**
 * Puts an email into the outbox, in the caller's transaction; a job delivers it. `key` is an
 * idempotency key: a second email with the same key is not sent.
 */
export async function send(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  mail: { key: string; to: string } & Email,
) {
  const id = await store.insert(
    tx,
    {
      key: mail.key,
      recipient: mail.to,
      subject: mail.subject,
      text: asText(mail),
      html: asHtml(mail),
    },
    ctx.clock.now(),
  )
  if (id) await ctx.jobs.send(tx, deliverJob, { mailId: id })
}

/**
 * Sends a queued email, or marks it as `kept` for the mailbox when there is no SMTP server. Rejects
 * when the SMTP server rejects it; the email then stays `queued`, with the reason, for a retry.
 */
export async function deliver(
  ctx: Pick<Context, 'db' | 'clock' | 'env'>,
  id: MailId,
): Promise<void> {
  const mail = await store.find(ctx.db, id)
  if (mail?.state !== 'queued') return
  const { SMTP_URL } = ctx.env
  if (SMTP_URL === undefined) return store.setKept(ctx.db, id, ctx.clock.now())
  try {
    await deliverBySmtp(ctx.env, SMTP_URL, mail)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await store.recordAttempt(ctx.db, id, reason, ctx.clock.now())
    throw error
  }
  await store.setSent(ctx.db, id, ctx.clock.now())
}

/** Marks a queued email as `failed` after its last attempt failed or its process was killed. */
export async function giveUp(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  id: MailId,
): Promise<void> {
  const failed = await store.setFailed(
    ctx.db,
    id,
    'The last attempt was interrupted.',
    ctx.clock.now(),
  )
  if (failed)
    ctx.log.error({ mailId: id, reason: failed.lastError }, 'an email could not be delivered')
}

/**
 * Marks the emails that waited in a backup as `failed`: the service that made it has probably sent
 * them since. Returns their count.
 */
export const holdQueued = (tx: Tx, now: Date) =>
  store.failQueued(tx, 'It waited when the backup was made, and may have been sent since.', now)

/** The 200 newest emails of the outbox. */
export const newest = (ctx: Pick<Context, 'db'>) => store.listNewest(ctx.db)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The email with this id; undefined when there is none. */
export const find = async (ctx: Pick<Context, 'db'>, id: MailId) =>
  uuid.test(id) ? store.find(ctx.db, id) : undefined
