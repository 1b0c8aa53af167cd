import type { Environment } from '@slipway/contract/environment'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Tx, UserContext } from '../../context.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as environment from '../environment/environment.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { lockForChange, requireForUser, scheduleReconcile } from './projects.service.ts'
import * as store from './projects.store.ts'

/** The names of a site's environment variables. Throws `project_not_found`. */
export async function list(ctx: UserContext, id: ProjectId): Promise<Environment> {
  await requireForUser(ctx, id)
  return environment.list(ctx.db, id)
}

/**
 * Sets and removes environment variables; the site restarts with them if they changed. Throws
 * `project_not_found`, `cannot_update_deleted_project`, `variable_limit_reached`,
 * `validation_error`, and `too_many_requests` after too many changes.
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
      const now = ctx.clock.now()
      const subject = `environment:user:${ctx.user.id}`
      const limit = serviceLimits.environmentChangesPerUser
      await throttle.consume(tx, now, subject, limit, 'too_many_requests')
      const changed = await store.incrementGeneration(tx, project.id, now)
      await recordChange(ctx, tx, project, names)
      await scheduleReconcile(ctx, tx, changed)
    }
    return environment.list(tx, project.id)
  })

/** Characters of names in one entry of the activity, which is stored for a year. */
const maxNamesLength = 300

/** The names, or the first of them and the number of the others. */
function listNames(names: readonly string[]): string {
  const firstHidden = names.findIndex(
    (_, index) => names.slice(0, index + 1).join(', ').length > maxNamesLength,
  )
  if (firstHidden === -1) return names.join(', ')
  return `${names.slice(0, firstHidden).join(', ')}, … (+${names.length - firstHidden})`
}

/** Records the names of the variables, never their values. */
async function recordChange(
  ctx: UserContext,
  tx: Tx,
  project: store.Project,
  { set, removed }: environment.ChangedNames,
) {
  const concerns = { project }
  if (set.length > 0)
    await recordActivity(ctx, tx, { kind: 'variables_set', concerns, subject: listNames(set) })
  if (removed.length > 0)
    await recordActivity(ctx, tx, {
      kind: 'variables_removed',
      concerns,
      subject: listNames(removed),
    })
}
