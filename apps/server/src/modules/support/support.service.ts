import type { UserId } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
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
import { askedEmail, replyEmail } from './support.emails.ts'
import { closedBefore, isClosed, isOwn, isResolved } from './support.policy.ts'
import * as store from './support.store.ts'

/** A message as it is sent; the same key once more gives the message that was stored the first time. */
type Written = { text: string; idempotencyKey?: string | undefined }

const present = (ctx: Pick<Context, 'clock'>, ticket: store.Ticket): Ticket => ({
  id: ticket.id,
  subject: ticket.subject,
  state: ticket.state,
  resolvedAt: ticket.resolvedAt?.toISOString() ?? null,
  closed: isClosed(ticket, ctx.clock.now()),
  unread: ticket.unread,
  createdAt: ticket.createdAt.toISOString(),
  updatedAt: ticket.updatedAt.toISOString(),
})

const presentMessage = (message: store.Message): TicketMessage => ({
  id: message.id,
  userId: message.userId,
  text: message.text,
  createdAt: message.createdAt.toISOString(),
  updatedAt: message.updatedAt.toISOString(),
})

const announce = (tx: Tx, id: TicketId) =>
  events.publish(tx, { kind: 'Ticket', data: { type: 'Updated', ticketId: id } })

/** Who may see the ticket in the console. */
export async function readers(db: Db, id: TicketId): Promise<readonly UserId[]> {
  const userId = await store.findUserId(db, id)
  return userId ? [userId] : []
}

/** The user's tickets, last changed first. */
export const all = async (ctx: UserContext): Promise<Ticket[]> =>
  (await store.listForUser(ctx.db, ctx.user.id)).map((ticket) => present(ctx, ticket))

/** How many of the user's tickets have a reply that they have not seen. */
export const countUnread = async (ctx: UserContext): Promise<{ count: number }> => ({
  count: await store.countUnread(ctx.db, ctx.user.id),
})

/** What was written in a ticket: up to a thousand messages, and how many are older. */
export type Thread = Pick<TicketDetail, 'messages' | 'olderMessages'>

const presentThread = ({ messages, total }: store.Thread): Thread => ({
  messages: messages.map(presentMessage),
  olderMessages: total - messages.length,
})

/** The newest messages of a ticket; its caller has made sure that it may be read. */
export const threadOf = async (db: Db, id: TicketId): Promise<Thread> =>
  presentThread(await store.listMessages(db, id))

/**
 * The newest messages of a ticket that came before one of them; its caller has made sure that the ticket
 * may be read. Throws `item_not_found` for a message of another ticket.
 */
export async function threadBefore(db: Db, id: TicketId, before: TicketMessageId): Promise<Thread> {
  const message = await store.findMessage(db, id, before)
  if (!message) throw problem('item_not_found')
  return presentThread(await store.listMessages(db, id, message))
}

const detail = async (
  ctx: Pick<Context, 'clock'>,
  db: Db,
  ticket: store.Ticket,
): Promise<TicketDetail> => ({
  ...present(ctx, ticket),
  ...(await threadOf(db, ticket.id)),
})

/** A ticket with its messages. Throws `ticket_not_found`, also for somebody else's. */
export async function view(ctx: UserContext, id: TicketId): Promise<TicketDetail> {
  const ticket = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!ticket) throw problem('ticket_not_found')
  return detail(ctx, ctx.db, ticket)
}

/**
 * The newest messages of the user's ticket that came before one of them. Throws `ticket_not_found`, and
 * `item_not_found` for a message of another ticket.
 */
export async function older(
  ctx: UserContext,
  id: TicketId,
  before: TicketMessageId,
): Promise<Thread> {
  const ticket = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!ticket) throw problem('ticket_not_found')
  return threadBefore(ctx.db, ticket.id, before)
}

/** Counts a message of the user. Throws `message_limit_reached` for more than a conversation needs. */
const countMessage = (ctx: UserContext, tx: Tx) =>
  throttle.take(
    tx,
    ctx.clock.now(),
    `ticket-message:${ctx.user.id}`,
    limits.ticketMessagesPerUser,
    'message_limit_reached',
  )

/**
 * Mails what a user wrote to the support staff, each in their language; the writer knows it already. Staff is
 * who has verified the address: a ticket is nothing for a mailbox that may be anybody's.
 */
async function mailOperators(
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
      ...askedEmail({
        locale: operator.locale ?? 'en',
        operator: operator.name,
        user: ctx.user,
        ticket,
        message,
      }),
    })
  }
}

async function mailUser(
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
 * Opens a ticket with its first message; gives both. Throws `message_limit_reached`. A request that is sent
 * twice, at the same time too, opens one ticket: the second is answered with it.
 */
export const create = (
  ctx: UserContext,
  form: { subject: string; message: string; idempotencyKey?: string | undefined },
): Promise<TicketDetail> =>
  ctx.write(async (tx) => {
    const { subject, idempotencyKey } = form
    const now = ctx.clock.now()
    const ticket = await store.insert(tx, { userId: ctx.user.id, subject, idempotencyKey }, now)
    if (!ticket) return firstAnswer(ctx, tx, idempotencyKey)
    await countMessage(ctx, tx)
    const message = await store.insertMessage(
      tx,
      { ticketId: ticket.id, userId: ctx.user.id, text: form.message, idempotencyKey: undefined },
      now,
    )
    await mailOperators(ctx, tx, ticket, message)
    await announce(tx, ticket.id)
    return { ...present(ctx, ticket), messages: [presentMessage(message)], olderMessages: 0 }
  })

async function firstAnswer(ctx: UserContext, tx: Tx, idempotencyKey: string | undefined) {
  const ticket = idempotencyKey && (await store.findByKeyForUser(tx, ctx.user.id, idempotencyKey))
  if (!ticket) throw new Error('a ticket was neither stored nor there')
  return detail(ctx, tx, ticket)
}

/**
 * A moment after all that happened in the ticket before: servers' clocks differ, yet nobody may find an
 * answer above its question, nor miss a reply that is as old as what they read last.
 */
const nextMoment = (ctx: Pick<Context, 'clock'>, ticket: store.Ticket) =>
  new Date(Math.max(ctx.clock.now().getTime(), ticket.updatedAt.getTime() + 1))

/** Writes into a ticket that is locked, as its user or as the support team. */
async function write(ctx: UserContext, tx: Tx, ticket: store.Ticket, written: Written) {
  const { text, idempotencyKey } = written
  const by = { ticketId: ticket.id, userId: ctx.user.id }
  const sent = idempotencyKey && (await store.findMessageByKey(tx, { ...by, idempotencyKey }))
  if (sent) return presentMessage(sent)
  if (isClosed(ticket, ctx.clock.now())) throw problem('ticket_closed')

  const at = nextMoment(ctx, ticket)
  const message = await store.insertMessage(tx, { ...by, text, idempotencyKey }, at)
  if (isOwn(ticket, ctx.user.id)) {
    await countMessage(ctx, tx)
    await store.noteAsked(tx, ticket.id, at, closedBefore(ctx.clock.now()))
    await mailOperators(ctx, tx, ticket, message)
  } else {
    await store.noteReplied(tx, ticket.id, at)
    await mailUser(ctx, tx, ticket, message)
  }
  await announce(tx, ticket.id)
  return presentMessage(message)
}

/**
 * Writes a message in the user's ticket; gives it. Throws `ticket_not_found`, `ticket_closed` when it was
 * resolved more than 24 hours ago, `message_limit_reached`.
 */
export const send = (ctx: UserContext, id: TicketId, written: Written): Promise<TicketMessage> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForUser(tx, ctx.user.id, id)
    if (!ticket) throw problem('ticket_not_found')
    return write(ctx, tx, ticket, written)
  })

/**
 * Writes a message in anybody's ticket, for an operator; its user gets it by mail, too. Gives the message.
 * Throws `ticket_not_found`, `ticket_closed`. In their own ticket an operator writes as its user: that
 * throws `message_limit_reached`, too.
 */
export const reply = (ctx: UserContext, id: TicketId, written: Written): Promise<TicketMessage> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForOperator(tx, id)
    if (!ticket) throw problem('ticket_not_found')
    return write(ctx, tx, ticket, written)
  })

/** Marks the user's ticket as resolved; gives it. Throws `ticket_not_found`, `ticket_already_resolved`. */
export const resolve = (ctx: UserContext, id: TicketId): Promise<Ticket> =>
  ctx.write(async (tx) => {
    const ticket = await store.lockForUser(tx, ctx.user.id, id)
    if (!ticket) throw problem('ticket_not_found')
    if (isResolved(ticket)) throw problem('ticket_already_resolved')
    const resolved = await store.setResolved(tx, id, nextMoment(ctx, ticket))
    await announce(tx, id)
    return present(ctx, resolved)
  })

/**
 * Notes that the user has seen the ticket up to a message; what they saw before stays seen. Throws
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
    // Other tabs show the mark, too; nothing else of the ticket is different to anybody.
    if (read.unread !== ticket.unread) await announce(tx, id)
  })
