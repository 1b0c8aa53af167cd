import type { Audience } from '../../events.ts'
import * as projects from './projects.service.ts'

export const audience: Audience<'Project'> = {
  Project: (ctx, { projectId }) => projects.eventRecipients(ctx.db, projectId),
}
