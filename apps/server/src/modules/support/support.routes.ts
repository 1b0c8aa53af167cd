import {
  countUnreadTickets,
  createTicket,
  listOlderMessages,
  listTickets,
  markTicketRead,
  resolveTicket,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import type { Bind } from '../../http/binder.ts'
import * as support from './support.service.ts'

export const routes = (on: Bind) => {
  on(listTickets, (ctx) => support.list(ctx))
  on(countUnreadTickets, (ctx) => support.countUnread(ctx))
  on(viewTicket, (ctx, { params }) => support.view(ctx, params.id))
  on(listOlderMessages, (ctx, { params, query }) =>
    support.listOlderMessages(ctx, params.id, query.before),
  )
  on(createTicket, (ctx, { body }) => support.create(ctx, body))
  on(resolveTicket, (ctx, { params }) => support.resolve(ctx, params.id))
  on(markTicketRead, (ctx, { params, body }) => support.markRead(ctx, params.id, body.messageId))
  on(sendTicketMessage, (ctx, { params, body }) => support.send(ctx, params.id, body))
}
