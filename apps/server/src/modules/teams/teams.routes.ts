import { listTeams, viewTeam } from '@slipway/contract/teams'
import type { Bind } from '../../http/binder.ts'
import * as teams from './teams.service.ts'

export const routes = (on: Bind) => {
  on(listTeams, (ctx) => teams.all(ctx))
  on(viewTeam, (ctx, { params }) => teams.view(ctx, params.id))
}
