import type { Environment } from '@slipway/contract/environment'
import type { ProjectId } from '@slipway/contract/projects'
import type { Tx, UserContext } from '../../context.ts'
import { recordActivity } from '../activity/activity.service.ts'
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
    const names = await environment.change(ctx, tx, project.id, variables)
    if (names.set.length + names.removed.length > 0) {
      const changed = await store.incrementGeneration(tx, project.id, ctx.clock.now())
      await recordChange(ctx, tx, project, names)
      await scheduleReconcile(ctx, tx, changed)
    }
    return environment.list(tx, project.id)
  })

/** Records the names of the variables, never their values. */
async function recordChange(
  ctx: UserContext,
  tx: Tx,
  project: store.Project,
  { set, removed }: environment.ChangedNames,
) {
  const concerns = { project }
  if (set.length > 0)
    await recordActivity(ctx, tx, { kind: 'variables_set', concerns, subject: set.join(', ') })
  if (removed.length > 0)
    await recordActivity(ctx, tx, {
      kind: 'variables_removed',
      concerns,
      subject: removed.join(', '),
    })
}
