import type { listStuckEmails, MailId, StuckEmail } from '@slipway/contract/emails'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import { second } from '@slipway/contract/limits'
import type { Context, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import { countAttempt } from './mail.metrics.ts'
import {
  attemptLease,
  batchSize,
  emailRetention,
  laneOf,
  maxAttempts,
  retryDelay,
} from './mail.policy.ts'
import * as store from './mail.store.ts'
import { asHtml, asText, type Email } from './mail.template.ts'
import { attemptTimeout, deliver as deliverBySmtp, isFinal } from './mail.transport.ts'

export { asName, type Email } from './mail.template.ts'

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

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
  if (id) await sendJob(ctx, tx, { id, recipient: mail.to })
}

/** Sends the job of an email, in the lane of its recipient. */
const sendJob = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { id, recipient }: Pick<store.Mail, 'id' | 'recipient'>,
  delay = 0,
) =>
  ctx.jobs.send(
    tx,
    deliverJob,
    { mailId: id },
    { group: { id: laneOf(recipient) }, startAfter: Math.ceil(delay / second) },
  )

type DeliveryContext = Pick<Context, 'db' | 'clock' | 'env' | 'log' | 'jobs' | 'write'>

/**
 * Sends a queued email, or marks it as `kept` for the mailbox when there is no SMTP server. Emails
 * to one recipient are sent in order. An email that the server rejects for good, or for a day, is
 * marked as `failed`; otherwise another job retries it.
 */
export async function deliver(
  ctx: DeliveryContext,
  id: MailId,
  timeout = attemptTimeout,
): Promise<void> {
  const mail = await store.find(ctx.db, id)
  if (mail?.state !== 'queued') return
  const now = ctx.clock.now()
  const { SMTP_URL } = ctx.env
  if (SMTP_URL === undefined) return store.setKept(ctx.db, id, now)
  const earlier = await store.findEarlier(ctx.db, mail)
  if (earlier.count > 0) return runLater(ctx, mail, earlier.nextAttemptAt, earlier.count * second)
  if (!(await store.startAttempt(ctx.db, id, now, after(now, attemptLease))))
    return runLater(ctx, mail, mail.nextAttemptAt, second)
  try {
    await deliverBySmtp(ctx.env, SMTP_URL, mail, timeout)
  } catch (error) {
    return recordFailure(ctx, mail, error)
  }
  await store.setSent(ctx.db, id, ctx.clock.now())
  countAttempt('sent')
}

/** Sends the job again, to run at `time` but not before `leastDelay`. */
function runLater(
  ctx: DeliveryContext,
  mail: store.Mail,
  time: Date | null,
  leastDelay: number,
): Promise<void> {
  const delay = (time?.getTime() ?? 0) - ctx.clock.now().getTime()
  return ctx.write((tx) => sendJob(ctx, tx, mail, Math.max(delay, leastDelay)))
}

/** Schedules the next attempt, or gives the email up. */
async function recordFailure(ctx: DeliveryContext, mail: store.Mail, error: unknown) {
  const lastError = error instanceof Error ? error.message : String(error)
  const now = ctx.clock.now()
  const attempt = mail.attempts + 1
  if (isFinal(error) || attempt >= maxAttempts) {
    countAttempt('failed')
    return fail(ctx, mail.id, lastError)
  }
  countAttempt('deferred')
  ctx.log.warn({ mailId: mail.id, attempt, reason: lastError }, 'an email was not delivered yet')
  const delay = retryDelay(attempt)
  const nextAttemptAt = after(now, delay)
  await ctx.write(async (tx) => {
    await store.recordAttempt(tx, mail.id, { lastError, nextAttemptAt }, now)
    await sendJob(ctx, tx, mail, delay)
  })
}

async function fail(ctx: Pick<Context, 'db' | 'clock' | 'log'>, id: MailId, reason: string) {
  if (await store.setFailed(ctx.db, id, reason, ctx.clock.now()))
    ctx.log.error({ mailId: id, reason }, 'an email could not be delivered')
}

/** Marks a queued email as `failed` after the processes of its attempts were killed. */
export const giveUp = (ctx: Pick<Context, 'db' | 'clock' | 'log'>, id: MailId): Promise<void> =>
  fail(ctx, id, 'The last attempt was interrupted.')

const toResponse = (mail: store.Mail): StuckEmail => {
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
export const retry = (ctx: UserContext, id: MailId): Promise<StuckEmail> =>
  ctx.write(async (tx) => {
    const queued = await store.setQueued(tx, id, ctx.clock.now())
    if (!queued) throw problem('item_not_found')
    await sendJob(ctx, tx, queued)
    return toResponse(queued)
  })

/** Removes emails older than `emailRetention`, except queued ones. */
export async function tidy(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const start = after(ctx.clock.now(), -emailRetention)
  while ((await store.removeBefore(ctx.db, start, batchSize)) === batchSize);
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
