import {
  listOlderOperatorMessages,
  listOperatorTickets,
  replyToTicket,
  viewOperatorTicket,
} from '@slipway/contract/operator'
import type { Bind } from '../../http/binder.ts'
import * as operator from './operator.service.ts'

export const routes = (on: Bind) => {
  on(listOperatorTickets, (ctx, { query }) => operator.list(ctx, query))
  on(viewOperatorTicket, (ctx, { params }) => operator.view(ctx, params.id))
  on(listOlderOperatorMessages, (ctx, { params, query }) =>
    operator.listOlderMessages(ctx, params.id, query.before),
  )
  on(replyToTicket, (ctx, { params, body }) => operator.reply(ctx, params.id, body))
}
