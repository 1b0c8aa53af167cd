import type { OperatorProject } from '@slipway/contract/operator'
import type { Project, ProjectId, SuspensionReason } from '@slipway/contract/projects'
import type { Tx, UserContext } from '../../../context.ts'
import { problem } from '../../../problem.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as invoices from '../../invoices/invoices.service.ts'
import * as mail from '../../mail/mail.service.ts'
import * as teams from '../../teams/teams.service.ts'
import { isKey } from '../projects.key.ts'
import { isDeleted, isPowered, stateAfterChange } from '../projects.policy.ts'
import { deadline, loadResponse, lockForChange, scheduleReconcile } from '../projects.service.ts'
import * as store from '../projects.store.ts'
import { abuseEmail, resumedEmail, unpaidEmail } from './power.emails.ts'

/** Stores whether the site runs. A site that starts is `modifying` until it responds. */
async function savePower(
  ctx: UserContext,
  tx: Tx,
  project: store.Project,
  change: Partial<
    Pick<store.Project, 'power' | 'suspension' | 'suspensionNote' | 'restarts' | 'failure'>
  >,
): Promise<store.Project> {
  const state = isPowered({ ...project, ...change })
    ? stateAfterChange[project.state]
    : project.state
  const saved = await store.updateDesiredState(
    tx,
    project.id,
    { ...change, state, ...(state === 'modifying' ? { deadlineAt: deadline(ctx) } : {}) },
    ctx.clock.now(),
  )
  await scheduleReconcile(ctx, tx, saved)
  return saved
}

/** Locks the user's project, unless it is suspended. Throws as `lockForChange`. */
async function lockUnsuspended(ctx: UserContext, tx: Tx, id: ProjectId) {
  const project = await lockForChange(ctx, tx, id)
  if (project.suspension !== null) throw problem('project_suspended')
  return project
}

/**
 * Stops or starts the site of a project, which keeps its data and its domain. Throws
 * `project_not_found`, `cannot_update_deleted_project`, `project_suspended`.
 */
export const changePower = (
  ctx: UserContext,
  id: ProjectId,
  power: 'running' | 'stopped',
): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = await lockUnsuspended(ctx, tx, id)
    if (project.power === power) return loadResponse(ctx, tx, project)
    const kind = power === 'running' ? 'project_started' : 'project_stopped'
    await recordActivity(ctx, tx, { kind, concerns: { project } })
    return loadResponse(ctx, tx, await savePower(ctx, tx, project, { power }))
  })

/**
 * Restarts the site of a project. Throws `project_not_found`, `cannot_update_deleted_project`,
 * `project_suspended`, and `project_stopped` for a site that does not run.
 */
export const restart = (ctx: UserContext, id: ProjectId): Promise<Project> =>
  ctx.write(async (tx) => {
    const project = await lockUnsuspended(ctx, tx, id)
    if (project.power === 'stopped') throw problem('project_stopped')
    const { restarts } = project
    await recordActivity(ctx, tx, { kind: 'project_restarted', concerns: { project } })
    return loadResponse(ctx, tx, await savePower(ctx, tx, project, { restarts: restarts + 1 }))
  })

const forOperators = async (
  ctx: UserContext,
  tx: Tx,
  project: store.Project,
): Promise<OperatorProject> => ({
  ...(await loadResponse(ctx, tx, project)),
  suspensionNote: project.suspensionNote,
})

/** Any project, for operators. Throws `project_not_found`. */
export const viewForOperators = (ctx: UserContext, key: string): Promise<OperatorProject> =>
  ctx.write(async (tx) => {
    const project = isKey(key) ? await store.findByKey(tx, key) : undefined
    if (!project) throw problem('project_not_found')
    return forOperators(ctx, tx, project)
  })

async function lockForOperators(tx: Tx, key: string) {
  const project = isKey(key) ? await store.lockByKey(tx, key) : undefined
  if (!project) throw problem('project_not_found')
  if (isDeleted(project)) throw problem('cannot_update_deleted_project')
  return project
}

/**
 * Suspends any project, for operators: its site stops, it is not billed, and its data stays. The
 * members of its team get an email, unless it is suspended for this reason already. Throws
 * `project_not_found`, `cannot_update_deleted_project`.
 */
export const suspend = (
  ctx: UserContext,
  key: string,
  { reason, note }: { reason: SuspensionReason; note?: string | undefined },
): Promise<OperatorProject> =>
  ctx.write(async (tx) => {
    const project = await lockForOperators(tx, key)
    const suspensionNote = note ?? project.suspensionNote
    const isNew = project.suspension !== reason
    if (!isNew && suspensionNote === project.suspensionNote) return forOperators(ctx, tx, project)
    const change = { suspension: reason, suspensionNote }
    const suspended = await savePower(ctx, tx, project, change)
    if (isNew) {
      await emailMembers(ctx, tx, suspended, await suspendedEmail(tx, project, reason))
      await recordActivity(ctx, tx, {
        kind: 'project_suspended',
        concerns: { project },
        after: reason,
        actor: 'operator',
      })
    }
    return forOperators(ctx, tx, suspended)
  })

/**
 * Ends the suspension of any project, for operators: its site starts unless the customer had
 * stopped it. The members of its team get an email. A project that is not suspended stays as it
 * is. Throws `project_not_found`, `cannot_update_deleted_project`.
 */
export const resume = (ctx: UserContext, key: string): Promise<OperatorProject> =>
  ctx.write(async (tx) => {
    const project = await lockForOperators(tx, key)
    if (project.suspension === null) return forOperators(ctx, tx, project)
    const change = { suspension: null, suspensionNote: null }
    const resumed = await savePower(ctx, tx, project, change)
    await emailMembers(ctx, tx, resumed, resumedEmail)
    const concerns = { project }
    await recordActivity(ctx, tx, { kind: 'project_resumed', concerns, actor: 'operator' })
    return forOperators(ctx, tx, resumed)
  })

async function suspendedEmail(tx: Tx, { teamId }: store.Project, reason: SuspensionReason) {
  if (reason === 'abuse') return abuseEmail
  const owner = await teams.findOwner(tx, teamId)
  return unpaidEmail(owner, await invoices.listUnpaid(tx, owner.id))
}

async function emailMembers(
  ctx: UserContext,
  tx: Tx,
  project: store.Project,
  createEmail: typeof resumedEmail,
) {
  for (const { id, name, email, locale } of await teams.listMembers(tx, project.teamId)) {
    const content = createEmail({
      locale: locale ?? 'en',
      recipient: { id, name },
      project,
      publicUrl: ctx.env.PUBLIC_URL,
    })
    // Each generation is one change: a repeated request sends no second email.
    const key = `suspension:${project.id}:${project.generation}:${id}`
    await mail.send(ctx, tx, { key, to: email, ...content })
  }
}
