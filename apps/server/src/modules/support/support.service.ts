import type { UserId } from '@slipway/contract/account'
import { serviceLimits } from '@slipway/contract/service-limits'
import type {
  Ticket,
  TicketDetail,
  TicketId,
  TicketMessage,
  TicketMessageId,
} from '@slipway/contract/support'
import type { Context, Db, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as events from '../events/events.service.ts'
import * as mail from '../mail/mail.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { messageEmail, replyEmail } from './support.emails.ts'
import { isClosed, isOwn, isResolved, resolvedAtCutoff } from './support.policy.ts'
import * as store from './support.store.ts'

/** The content of a message. A repeated key returns the message stored the first time. */
type MessageInput = { text: string; idempotencyKey?: string | undefined }

const toResponse = (ctx: Pick<Context, 'clock'>, ticket: store.Ticket): Ticket => ({
  id: ticket.id,
  subject: ticket.subject,
  state: ticket.state,
  resolvedAt: ticket.resolvedAt?.toISOString() ?? null,
  closed: isClosed(ticket, ctx.clock.now()),
  unread: ticket.unread,
  createdAt: ticket.createdAt.toISOString(),
  updatedAt: ticket.updatedAt.toISOString(),
})

const toMessageResponse = (message: store.Message): TicketMessage => ({
  id: message.id,
  userId: message.userId,
  text: message.text,
  createdAt: message.createdAt.toISOString(),
  updatedAt: message.updatedAt.toISOString(),
})

const publishChange = (tx: Tx, id: TicketId) =>
  events.publish(tx, { kind: 'Ticket', data: { type: 'Updated', ticketId: id } })

/** The users who receive events of the ticket: its owner. */
export async function eventRecipients(db: Db, id: TicketId): Promise<readonly UserId[]> {
  const userId = await store.findUserId(db, id)
  return userId ? [userId] : []
}

/** The user's tickets, last changed first. */
export const list = async (ctx: UserContext): Promise<Ticket[]> =>
  (await store.listForUser(ctx.db, ctx.user.id)).map((ticket) => toResponse(ctx, ticket))

/** The number of the user's tickets with an unread reply. */
export const countUnread = async (ctx: UserContext): Promise<{ count: number }> => ({
  count: await store.countUnread(ctx.db, ctx.user.id),
})

/** Up to 1,000 messages of a ticket, oldest first, and the number of older ones. */
export type Thread = Pick<TicketDetail, 'messages' | 'olderMessages'>

const toThreadResponse = ({ messages, total }: store.Thread): Thread => ({
  messages: messages.map(toMessageResponse),
  olderMessages: total - messages.length,
})

/** The newest messages of a ticket. The caller has checked access. */
export const threadOf = async (db: Db, id: TicketId): Promise<Thread> =>
  toThreadResponse(await store.listMessages(db, id))

/**
 * The messages of a ticket before a given one. The caller has checked access. Throws
 * `item_not_found` for a message of another ticket.
 */
export async function threadBefore(db: Db, id: TicketId, before: TicketMessageId): Promise<Thread> {
  const message = await store.findMessage(db, id, before)
  if (!message) throw problem('item_not_found')
  return toThreadResponse(await store.listMessages(db, id, message))
}

const detail = async (
  ctx: Pick<Context, 'clock'>,
  db: Db,
  ticket: store.Ticket,
): Promise<TicketDetail> => ({
  ...toResponse(ctx, ticket),
  ...(await threadOf(db, ticket.id)),
})

/** The user's ticket with its newest messages. Throws `ticket_not_found`. */
export async function view(ctx: UserContext, id: TicketId): Promise<TicketDetail> {
  const ticket = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!ticket) throw problem('ticket_not_found')
  return detail(ctx, ctx.db, ticket)
}

/**
 * The messages of the user's ticket before a given one. Throws `ticket_not_found`, and
 * `item_not_found` for a message of another ticket.
 */
export async function listOlderMessages(
  ctx: UserContext,
  id: TicketId,
  before: TicketMessageId,
): Promise<Thread> {
  const ticket = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!ticket) throw problem('ticket_not_found')
  return threadBefore(ctx.db, ticket.id, before)
}

/** Counts a message of the user. Throws `message_limit_reached`. */
const countMessage = (ctx: UserContext, tx: Tx) =>
  throttle.consume(
    tx,
    ctx.clock.now(),
    `ticket-message:${ctx.user.id}`,
    serviceLimits.ticketMessagesPerUser,
    'message_limit_reached',
  )

/**
 * Emails a user's message to the operators, each in their language, except to its author. Skips an
 * unverified operator, whose mailbox could belong to anyone.
 */
async function emailOperators(
  ctx: Pick<UserContext, 'clock' | 'jobs' | 'env' | 'user'>,
  tx: Tx,
  ticket: store.Ticket,
  message: store.Message,
) {
  for (const email of ctx.env.OPERATOR_EMAILS) {
    if (email === ctx.user.email) continue
    const operator = await account.findByEmail(tx, email)
    if (!operator?.verifiedAt) continue
    await mail.send(ctx, tx, {
      key: `ticket-message:${message.id}:${email}`,
      to: email,
      ...messageEmail({
        locale: operator.locale ?? 'en',
        operator: operator.name,
        user: ctx.user,
        ticket,
        message,
      }),
    })
  }
}

async function emailUser(
  ctx: Pick<Context, 'clock' | 'jobs' | 'env'>,
  tx: Tx,
  ticket: store.Ticket,
  message: store.Message,
) {
  const user = await account.find(tx, ticket.userId)
  if (!user) throw new Error(`ticket ${ticket.id} has no user`)
  await mail.send(ctx, tx, {
    key: `ticket-reply:${message.id}`,
    to: user.email,
    ...replyEmail({
      locale: user.locale ?? 'en',
      name: user.name,
      publicUrl: ctx.env.PUBLIC_URL,
      ticket,
      message,
    }),
  })
}

/**
 * Opens a ticket with its first message; returns both. A repeated or concurrent request with the
 * same key returns the first one's ticket. Throws `message_limit_reached`.
 */
export const create = (
  ctx: UserContext,
  form: { subject: string; message: string; idempotencyKey?: string | undefined },
): Promise<TicketDetail> =>
  ctx.write(async (tx) => {
    const { subject, idempotencyKey } = form
    const now = ctx.clock.now()
    const ticket = await store.insert(tx, { userId: ctx.user.id, subject, idempotencyKey }, now)
    if (!ticket) return findCreated(ctx, tx, idempotencyKey)
    await countMessage(ctx, tx)
    const message = await store.insertMessage(
      tx,
      { ticketId: ticket.id, userId: ctx.user.id, text: form.message, idempotencyKey: undefined },
      now,
    )
    await emailOperators(ctx, tx, ticket, message)
    await publishChange(tx, ticket.id)
    return { ...toResponse(ctx, ticket), messages: [toMessageResponse(message)], olderMessages: 0 }
  })

async function findCreated(ctx: UserContext, tx: Tx, idempotencyKey: string | undefined) {
  const ticket =
    idempotencyKey && (await store.findByIdempotencyKeyForUser(tx, ctx.user.id, idempotencyKey))
  if (!ticket) throw new Error('the ticket was neither created nor found')
  return detail(ctx, tx, ticket)
}

/**
 * The current time, but later than the ticket's last change. With clocks that differ between
 * servers, a reply must still sort below its question and count as unread.
 */
const nextTime = (ctx: Pick<Context, 'clock'>, ticket: store.Ticket) =>
  new Date(Math.max(ctx.clock.now().getTime(), ticket.updatedAt.getTime() + 1))

/** Adds a message to a locked ticket, as its user or as the support team. */
async function addMessage(ctx: UserContext, tx: Tx, ticket: store.Ticket, input: MessageInput) {
  const { text, idempotencyKey } = input
  const source = { ticketId: ticket.id, userId: ctx.user.id }
  const existing =
    idempotencyKey && (await store.findMessageByKey(tx, { ...source, idempotencyKey }))
  if (existing) return toMessageResponse(existing)
  if (isClosed(ticket, ctx.clock.now())) throw problem('ticket_closed')

  const sentAt = nextTime(ctx, ticket)
  const message = await store.insertMessage(tx, { ...source, text, idempotencyKey }, sentAt)
  if (isOwn(ticket, ctx.user.id)) {
    await countMessage(ctx, tx)
    await store.recordQuestion(tx, ticket.id, sentAt, resolvedAtCutoff(ctx.clock.now()))
    await emailOperators(ctx, tx, ticket, message)
  } else {
    await store.recordReply(tx, ticket.id, sentAt)
    await emailUser(ctx, tx, ticket, message)
  }
  await publishChange(tx, ticket.id)
  return toMessageResponse(message)
}

/**
 * Adds a message to the user's ticket; returns it. Throws `ticket_not_found`, `ticket_closed` for a
 * ticket resolved more than 24 hours ago, `message_limit_reached`.
 */
export const send = (ctx: UserContext, id: TicketId, input: MessageInput): Promise<TicketMessage> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForUser(tx, ctx.user.id, id)
    if (!ticket) throw problem('ticket_not_found')
    return addMessage(ctx, tx, ticket, input)
  })

/**
 * Adds an operator's message to any user's ticket and emails it to that user; returns the message.
 * In their own ticket an operator writes as its user. Throws `ticket_not_found`, `ticket_closed`,
 * and in the operator's own ticket `message_limit_reached`.
 */
export const reply = (
  ctx: UserContext,
  id: TicketId,
  input: MessageInput,
): Promise<TicketMessage> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForOperator(tx, id)
    if (!ticket) throw problem('ticket_not_found')
    return addMessage(ctx, tx, ticket, input)
  })

/** Resolves the user's ticket; returns it. Throws `ticket_not_found`, `ticket_already_resolved`. */
export const resolve = (ctx: UserContext, id: TicketId): Promise<Ticket> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForUser(tx, ctx.user.id, id)
    if (!ticket) throw problem('ticket_not_found')
    if (isResolved(ticket)) throw problem('ticket_already_resolved')
    const resolved = await store.setResolved(tx, id, nextTime(ctx, ticket))
    await publishChange(tx, id)
    return toResponse(ctx, resolved)
  })

/**
 * Marks the user's ticket as read up to a message; never moves the mark back. Throws
 * `ticket_not_found`, and `item_not_found` for a message of another ticket.
 */
export const markRead = (ctx: UserContext, id: TicketId, upTo: TicketMessageId): Promise<void> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForUser(tx, ctx.user.id, id)
    if (!ticket) throw problem('ticket_not_found')
    const message = await store.findMessage(tx, id, upTo)
    if (!message) throw problem('item_not_found')
    if (ticket.readAt && ticket.readAt >= message.createdAt) return
    const read = await store.setRead(tx, id, message.createdAt)
    // Other tabs show the unread mark; nothing else has changed.
    if (read.unread !== ticket.unread) await publishChange(tx, id)
  })
