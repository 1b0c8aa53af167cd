import type { Audience } from '../../events.ts'
import * as teams from './teams.service.ts'

export const audience: Audience<'Team'> = {
  Team: (ctx, { teamId }) => teams.memberIds(ctx.db, teamId),
}
