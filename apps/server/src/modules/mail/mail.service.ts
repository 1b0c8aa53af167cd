import { randomUUID } from 'node:crypto'
import type { EmailId, listStuckEmails, StuckEmail } from '@slipway/contract/emails'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import { day, minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import { countAttempt } from './mail.metrics.ts'
import {
  attemptLease,
  batchSize,
  deliveryBudget,
  emailRetention,
  laneOf,
  maxAttempts,
  overdueAfter,
  retryDelay,
} from './mail.policy.ts'
import * as store from './mail.store.ts'
import { asHtml, asText, breakable, type Email } from './mail.template.ts'
import { attemptTimeout, deliver as deliverBySmtp, isFinal } from './mail.transport.ts'

export { asName, type Email, type EmailRow, inTitle, unbroken } from './mail.template.ts'
export { siteSender } from './mail.transport.ts'

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

/** The job that delivers an email and the queued ones from the same sender to its recipient. */
export const deliverJob = 'mail.deliver'

/**
 * Puts an email into the outbox, in the caller's transaction; a job delivers it. `key` is an
 * idempotency key: a second email with the same key is not sent.
 */
export async function send(
  ctx: Pick<Context, 'clock' | 'jobs' | 'env'>,
  tx: Tx,
  mail: { key: string; to: string } & Email,
) {
  const { PUBLIC_URL, SELLER_NAME, SELLER_ADDRESS } = ctx.env
  const seller = { name: SELLER_NAME, address: SELLER_ADDRESS, taxNumber: null }
  const email = { seller, ...mail }
  const id = await store.insert(
    tx,
    {
      key: mail.key,
      recipient: mail.to,
      subject: breakable(mail.subject),
      text: asText(email, PUBLIC_URL),
      html: asHtml(email, PUBLIC_URL),
    },
    ctx.clock.now(),
  )
  if (id) await sendJob(ctx, tx, { id, recipient: mail.to })
}

/** Sends the job of an email, in the lane of its recipient. */
const sendJob = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { id, recipient, projectId = null }: SentMail,
  delay = 0,
) =>
  ctx.jobs.send(
    tx,
    deliverJob,
    { mailId: id },
    {
      group: { id: laneOf(recipient, projectId) },
      startAfter: Math.max(0, Math.ceil(delay / second)),
    },
  )

type SentMail = Pick<store.Mail, 'id' | 'recipient'> & Partial<Pick<store.Mail, 'projectId'>>

/**
 * Puts an email of a site into the outbox, as it is sent, once for each recipient. Returns false,
 * and sends none, when the site would have sent more than `limit` emails in 24 hours.
 */
export async function sendOfSite(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  {
    projectId,
    recipients,
    ...email
  }: { projectId: ProjectId; recipients: readonly string[]; subject: string; raw: Buffer },
  limit: number,
): Promise<boolean> {
  const now = ctx.clock.now()
  const sent = await store.countOfProject(tx, projectId, after(now, -day))
  if (sent + recipients.length > limit) return false
  for (const recipient of recipients) {
    const key = `site:${randomUUID()}`
    const id = await store.insert(tx, { key, recipient, projectId, ...email }, now)
    if (id) await sendJob(ctx, tx, { id, recipient, projectId })
  }
  return true
}

type DeliveryContext = Pick<Context, 'db' | 'clock' | 'env' | 'log' | 'jobs' | 'write'>

/**
 * Sends the queued emails from the sender of this email, the service or a site, to its recipient,
 * in order, or marks them as `kept` for the mailbox when there is no SMTP server. An email that the
 * server rejects for good, or for a day, is marked as `failed`, and the next one follows. A
 * deferred email blocks the later ones until another job retries it, but none of another sender.
 */
export async function deliver(
  ctx: DeliveryContext,
  id: EmailId,
  timeout = attemptTimeout,
): Promise<void> {
  const requested = await store.find(ctx.db, id)
  // The job of another email has sent it. Continuing here would take the time of the lane for later
  // emails of this recipient, before those of others.
  if (requested?.state !== 'queued') return
  const deadline = after(ctx.clock.now(), deliveryBudget)
  for (;;) {
    const mail = await store.findNext(ctx.db, requested)
    if (!mail) return
    const now = ctx.clock.now()
    // The job that attempts this email continues afterwards, or the sweep if that job was killed.
    if (mail.nextAttemptAt && mail.nextAttemptAt > now)
      return mail.id === id ? sendJobAt(ctx, mail, mail.nextAttemptAt) : undefined
    if (now >= deadline) return sendJobAt(ctx, mail, now)
    if (!(await attempt(ctx, mail, timeout))) return
  }
}

/** True when the email is sent or given up, so that the next one may follow. */
async function attempt(ctx: DeliveryContext, mail: store.Mail, timeout: number): Promise<boolean> {
  const { SMTP_URL } = ctx.env
  const now = ctx.clock.now()
  if (SMTP_URL === undefined) {
    await store.setKept(ctx.db, mail.id, now)
    return true
  }
  if (mail.attempts >= maxAttempts) {
    await fail(ctx, mail.id, mail.lastError ?? 'The last attempt was interrupted.')
    return true
  }
  if (!(await store.startAttempt(ctx.db, mail, now, after(now, attemptLease)))) return false
  try {
    await deliverBySmtp(ctx.env, SMTP_URL, mail, timeout)
  } catch (error) {
    return recordFailure(ctx, mail, error)
  }
  await store.setSent(ctx.db, mail.id, ctx.clock.now())
  countAttempt('sent')
  return true
}

const sendJobAt = (ctx: DeliveryContext, mail: store.Mail, time: Date): Promise<void> =>
  ctx.write((tx) => sendJob(ctx, tx, mail, time.getTime() - ctx.clock.now().getTime()))

/** Schedules the next attempt, or gives the email up; true if it is given up. */
async function recordFailure(
  ctx: DeliveryContext,
  mail: store.Mail,
  error: unknown,
): Promise<boolean> {
  const lastError = error instanceof Error ? error.message : String(error)
  const now = ctx.clock.now()
  const attempts = mail.attempts + 1
  if (isFinal(error) || attempts >= maxAttempts) {
    countAttempt('failed')
    await fail(ctx, mail.id, lastError)
    return true
  }
  countAttempt('deferred')
  ctx.log.warn(
    { mailId: mail.id, attempt: attempts, reason: lastError },
    'an email was not delivered yet',
  )
  const delay = retryDelay(attempts)
  const nextAttemptAt = after(now, delay)
  await ctx.write(async (tx) => {
    await store.recordFailure(tx, mail.id, { lastError, nextAttemptAt }, now)
    await sendJob(ctx, tx, mail, delay)
  })
  return false
}

async function fail(ctx: Pick<Context, 'db' | 'clock' | 'log'>, id: EmailId, reason: string) {
  if (await store.setFailed(ctx.db, id, reason, ctx.clock.now()))
    ctx.log.error({ mailId: id, reason }, 'an email could not be delivered')
}

/** Sends jobs for next emails that are overdue, because their process was killed. */
export async function sweep(ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'write'>): Promise<void> {
  const overdue = await store.listOverdue(ctx.db, after(ctx.clock.now(), -overdueAfter), batchSize)
  if (overdue.length === 0) return
  await ctx.write(async (tx) => {
    // Behind a long queue the jobs of the emails may still wait: one more in five minutes suffices.
    for (const { id, recipient, projectId } of overdue)
      await ctx.jobs.send(
        tx,
        deliverJob,
        { mailId: id },
        {
          group: { id: laneOf(recipient, projectId) },
          singletonKey: id,
          singletonSeconds: (5 * minute) / second,
        },
      )
  })
}

const toResponse = (mail: store.ListedMail): StuckEmail => {
  const { id, recipient, subject, state, attempts, lastError, createdAt, nextAttemptAt } = mail
  return {
    id,
    recipient,
    subject,
    state: state === 'failed' ? 'failed' : 'queued',
    attempts,
    reason: lastError,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  }
}

/** A page of the emails that could not be delivered, or not yet, newest first, for operators. */
export async function listStuck(
  ctx: UserContext,
  { page, perPage, state }: InputOf<typeof listStuckEmails>['query'],
): Promise<ResponseOf<typeof listStuckEmails>> {
  const { rows, count } = await store.listStuck(ctx.db, state, {
    offset: (page - 1) * perPage,
    limit: perPage,
  })
  return {
    items: rows.map(toResponse),
    currentPage: page,
    totalPages: Math.ceil(count / perPage),
    perPage,
  }
}

/** Tries an unsent email again, for an operator. Throws `item_not_found`. */
export const retry = (ctx: UserContext, id: EmailId): Promise<StuckEmail> =>
  ctx.write(async (tx) => {
    const queued = await store.setQueued(tx, id, ctx.clock.now())
    if (!queued) throw problem('item_not_found')
    await sendJob(ctx, tx, queued)
    return toResponse(queued)
  })

/** Removes emails older than `emailRetention`, except queued ones. */
export async function removeOldEmails(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const start = after(ctx.clock.now(), -emailRetention)
  let removed: number
  do {
    removed = await store.removeBefore(ctx.db, start, batchSize)
  } while (removed === batchSize)
}

/**
 * Marks the queued emails of a backup as `failed`: the service that made it has probably sent them
 * since. Returns their count.
 */
export const failQueuedEmails = (tx: Tx, now: Date) =>
  store.failQueued(tx, 'It waited when the backup was made, and may have been sent since.', now)

/** The 200 newest emails of the outbox. */
export const newest = (ctx: Pick<Context, 'db'>) => store.listNewest(ctx.db)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The email with this id, if one exists. */
export const find = async (ctx: Pick<Context, 'db'>, id: EmailId) =>
  uuid.test(id) ? store.find(ctx.db, id) : undefined
