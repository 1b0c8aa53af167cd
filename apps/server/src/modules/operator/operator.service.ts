import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type {
  listOperatorTickets,
  OperatorTicket,
  viewOperatorTicket,
} from '@slipway/contract/operator'
import type { TicketId, TicketMessageId } from '@slipway/contract/support'
import type { UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import { isClosed, resolvedAtCutoff } from '../support/support.policy.ts'
import * as support from '../support/support.service.ts'
import * as store from './operator.store.ts'

type List = typeof listOperatorTickets

const toResponse = (ctx: Pick<UserContext, 'clock'>, ticket: store.Ticket): OperatorTicket => ({
  id: ticket.id,
  subject: ticket.subject,
  state: ticket.state,
  resolvedAt: ticket.resolvedAt?.toISOString() ?? null,
  closed: isClosed(ticket, ctx.clock.now()),
  user: ticket.user,
  waiting: ticket.waiting,
  createdAt: ticket.createdAt.toISOString(),
  updatedAt: ticket.updatedAt.toISOString(),
})

/**
 * A page of all users' tickets: those waiting for a reply, by longest wait; then the others, most
 * recently changed first. A page past the end is empty.
 */
export async function list(
  ctx: UserContext,
  { page, perPage, state, search }: InputOf<List>['query'],
): Promise<ResponseOf<List>> {
  const { rows, count } = await store.list(
    ctx.db,
    {
      state,
      search: search === '' ? undefined : search,
      resolvedAtCutoff: resolvedAtCutoff(ctx.clock.now()),
    },
    { offset: (page - 1) * perPage, limit: perPage },
  )
  return {
    items: rows.map((ticket) => toResponse(ctx, ticket)),
    currentPage: page,
    totalPages: Math.ceil(count / perPage),
    perPage,
  }
}

/** Any user's ticket with its newest messages. Throws `ticket_not_found`. */
export async function view(
  ctx: UserContext,
  id: TicketId,
): Promise<ResponseOf<typeof viewOperatorTicket>> {
  const ticket = await store.find(ctx.db, id, resolvedAtCutoff(ctx.clock.now()))
  if (!ticket) throw problem('ticket_not_found')
  return { ...toResponse(ctx, ticket), ...(await support.threadOf(ctx.db, id)) }
}

/**
 * The messages of any user's ticket before a given one. Throws `ticket_not_found`, and
 * `item_not_found` for a message of another ticket.
 */
export async function listOlderMessages(
  ctx: UserContext,
  id: TicketId,
  before: TicketMessageId,
): Promise<support.Thread> {
  const ticket = await store.find(ctx.db, id, resolvedAtCutoff(ctx.clock.now()))
  if (!ticket) throw problem('ticket_not_found')
  return support.threadBefore(ctx.db, ticket.id, before)
}

/** Replies to any user's ticket; see `support.reply`. */
export const reply = support.reply
