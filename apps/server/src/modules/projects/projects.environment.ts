import type { Environment } from '@slipway/contract/environment'
import type { ProjectId } from '@slipway/contract/projects'
import type { UserContext } from '../../context.ts'
import * as environment from '../environment/environment.service.ts'
import { lockForChange, requireForUser, scheduleReconcile } from './projects.service.ts'
import * as store from './projects.store.ts'

/** The names of a site's environment variables. Throws `project_not_found`. */
export async function list(ctx: UserContext, id: ProjectId): Promise<Environment> {
  await requireForUser(ctx, id)
  return environment.list(ctx.db, id)
}

/**
 * Sets and removes environment variables; the site restarts with them. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `variable_limit_reached` and `validation_error`.
 */
export const change = (
  ctx: UserContext,
  id: ProjectId,
  variables: environment.EnvironmentChange,
): Promise<Environment> =>
  ctx.write(async (tx) => {
    const project = await lockForChange(ctx, tx, id)
    if (await environment.change(ctx, tx, project.id, variables)) {
      const changed = await store.updateDesiredState(tx, project.id, {}, ctx.clock.now())
      await scheduleReconcile(ctx, tx, changed)
    }
    return environment.list(tx, project.id)
  })
