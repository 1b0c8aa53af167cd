import { createSocketTicket } from '@slipway/contract/events'
import type { Bind } from '../../http/binder.ts'

export const routes = (on: Bind) => {
  on(createSocketTicket, (ctx) => ctx.sessions.createTicket(ctx.session.id))
}
