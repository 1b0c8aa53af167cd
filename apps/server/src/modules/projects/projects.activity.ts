import type { ActivityPage, listProjectActivity } from '@slipway/contract/activity'
import type { InputOf } from '@slipway/contract/endpoint'
import type { ProjectId } from '@slipway/contract/projects'
import type { UserContext } from '../../context.ts'
import * as activity from '../activity/activity.service.ts'
import { requireForUser } from './projects.service.ts'

/** The activity of a project, newest first. Throws `project_not_found`. */
export async function list(
  ctx: UserContext,
  id: ProjectId,
  query: InputOf<typeof listProjectActivity>['query'],
): Promise<ActivityPage> {
  await requireForUser(ctx, id)
  return activity.listForProject(ctx, id, query)
}
