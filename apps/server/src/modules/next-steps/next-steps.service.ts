import type { NextSteps } from '@slipway/contract/next-steps'
import type { ProjectId } from '@slipway/contract/projects'
import type { UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as store from './next-steps.store.ts'

/** Which of the first steps of a project are done. Throws `project_not_found`. */
export async function view(ctx: UserContext, id: ProjectId): Promise<NextSteps> {
  const steps = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!steps) throw problem('project_not_found')
  return steps
}
