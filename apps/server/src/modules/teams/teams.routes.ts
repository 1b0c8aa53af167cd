import { listTeamActivity } from '@slipway/contract/activity'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  listInvitations,
  listTeams,
  removeFromTeam,
  respondToInvitation,
  updateTeam,
  viewTeam,
} from '@slipway/contract/teams'
import type { Bind } from '../../http/binder.ts'
import * as invitations from './teams.invitations.service.ts'
import * as teams from './teams.service.ts'

export const routes = (on: Bind) => {
  on(listTeams, (ctx) => teams.list(ctx))
  on(viewTeam, (ctx, { params }) => teams.view(ctx, params.id))
  on(updateTeam, (ctx, { params, body }) => teams.rename(ctx, params.id, body.name))
  on(removeFromTeam, (ctx, { params, query }) => teams.remove(ctx, params.teamId, query.userId))
  on(leaveTeam, (ctx, { params }) => teams.leave(ctx, params.id))
  on(listTeamActivity, (ctx, { params, query }) => teams.listActivity(ctx, params.id, query))
  on(listInvitations, (ctx) => invitations.list(ctx))
  on(inviteToTeam, (ctx, { body }) => invitations.invite(ctx, body))
  on(respondToInvitation, (ctx, { body }) => invitations.respond(ctx, body))
  on(cancelInvitation, (ctx, { query }) => invitations.cancel(ctx, query))
}
