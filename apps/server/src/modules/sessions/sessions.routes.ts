import { endOtherSessions, endSession, listSessions } from '@slipway/contract/account-security'
import { createSocketTicket } from '@slipway/contract/events'
import type { Bind } from '../../http/binder.ts'
import { logSecurityEvent } from '../../security-events.ts'

export const routes = (on: Bind) => {
  on(listSessions, (ctx) => ctx.sessions.list(ctx.user.id, ctx.session.id))
  on(endSession, async (ctx, { params }) => {
    await ctx.sessions.endOwn(ctx.user.id, params.id)
    logSecurityEvent(ctx, 'session_ended', { userId: ctx.user.id })
  })
  on(endOtherSessions, async (ctx) => {
    await ctx.write((tx) => ctx.sessions.endOthers(tx, ctx.user.id, ctx.session.id))
    ctx.sessions.invalidateUser(ctx.user.id)
    logSecurityEvent(ctx, 'session_ended', { userId: ctx.user.id })
  })
  on(createSocketTicket, (ctx) => ctx.sessions.createTicket(ctx.session.id))
}
