import type { Context, Tx } from '../../context.ts'
import type { MailId } from './mail.schema.ts'
import * as store from './mail.store.ts'
import { asHtml, asText, type Email } from './mail.template.ts'
import { deliver as deliverBySmtp } from './mail.transport.ts'

export { asName, type Email } from './mail.template.ts'

/** Delivers one mail of the outbox. */
export const deliverJob = 'mail.deliver'

/**
 * Puts a mail into the outbox, in the caller's transaction; a job delivers it. `key` says what the mail
 * is about: a second one of the same key is not sent.
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
 * Delivers a mail of the outbox, or keeps it for the mailbox page where there is no SMTP server. Rejects
 * when the server does not take it; it stays `queued`, with the reason, for another attempt.
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
    await store.noteAttempt(ctx.db, id, reason, ctx.clock.now())
    throw error
  }
  await store.setSent(ctx.db, id, ctx.clock.now())
}

/**
 * Ends a mail whose last attempt failed, or was killed with its process: it stays as `failed`, with the
 * reason if there is one. One that was delivered or kept stays what it is.
 */
export async function giveUp(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  id: MailId,
): Promise<void> {
  const failed = await store.setFailed(
    ctx.db,
    id,
    'The last attempt ended without a word.',
    ctx.clock.now(),
  )
  if (failed)
    ctx.log.error({ mailId: id, reason: failed.lastError }, 'a mail could not be delivered')
}

/** The newest mails of the outbox. */
export const newest = (ctx: Pick<Context, 'db'>) => store.listNewest(ctx.db)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** One mail of the outbox; undefined when there is none of this id. */
export const find = async (ctx: Pick<Context, 'db'>, id: MailId) =>
  uuid.test(id) ? store.find(ctx.db, id) : undefined
