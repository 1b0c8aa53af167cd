import { createHash } from 'node:crypto'
import type { Project, ProjectId } from '@slipway/contract/projects'
import type { SiteBackupId, SiteBackupObstacle } from '@slipway/contract/site-backups'
import { siteBackupLimits } from '@slipway/contract/site-backups'
import type { Context, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as environment from '../environment/environment.service.ts'
import { find as findProject, lock as lockProject } from '../projects/copies/copies.service.ts'
import { isDeleted } from '../projects/projects.policy.ts'
import * as projects from '../projects/projects.service.ts'
import * as releases from '../releases/releases.service.ts'
import * as siteBackups from '../site-backups/site-backups.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import * as store from './site-restores.store.ts'

export const restoreJob = 'site-restores.run'

type Restore = {
  backupId: SiteBackupId
  /** Null restores in place. */
  newProjectName: string | null
  idempotencyKey: string | undefined
}

const countRestore = (ctx: UserContext) =>
  ctx.write((tx) =>
    throttle.consume(
      tx,
      ctx.clock.now(),
      `site restore:user:${ctx.user.id}`,
      siteBackupLimits.requestsPerUser,
      'too_many_requests',
    ),
  )

/**
 * Begins to restore a backup, in its project or in a new one of the same team and region, which it
 * returns. A repeated request changes nothing. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `item_not_found` for a backup that is not ready,
 * `backup_not_possible` with the obstacle, `too_many_requests`, `forbidden` for a new project with
 * a token of some projects, and the problems of a creation.
 */
export async function restore(
  ctx: UserContext,
  projectId: ProjectId,
  form: Restore,
): Promise<Project> {
  await projects.requireForUser(ctx, projectId)
  await countRestore(ctx)
  return form.newProjectName === null
    ? restoreInPlace(ctx, projectId, form)
    : restoreIntoNew(ctx, projectId, form.newProjectName, form)
}

const deadline = (ctx: Pick<Context, 'clock'>) => {
  const now = ctx.clock.now()
  return { now, deadlineAt: new Date(now.getTime() + siteBackupLimits.deadline) }
}

const restoreInPlace = (
  ctx: UserContext,
  projectId: ProjectId,
  { backupId, idempotencyKey }: Restore,
) =>
  ctx.write(async (tx) => {
    const project = await projects.lockForChange(ctx, tx, projectId)
    const first =
      idempotencyKey !== undefined &&
      (await store.findByIdempotencyKey(tx, projectId, ctx.user.id, idempotencyKey))
    if (first) return projects.loadResponse(ctx, tx, project)
    const backup = await siteBackups.findReady(tx, projectId, backupId)
    if (!backup) throw problem('item_not_found')
    const open = await store.findOpen(tx, projectId)
    if (open?.backupId === backupId) return projects.loadResponse(ctx, tx, project)
    await siteBackups.requireFree(tx, project)
    // Its program would start on the files of the backup, or the restore would wait for it.
    if (await releases.isDeploying(tx, projectId))
      throw problem('backup_not_possible', 'release_in_progress' satisfies SiteBackupObstacle)
    await store.begin(
      tx,
      {
        projectId,
        backupId,
        backupCreatedAt: backup.createdAt,
        isNewProject: false,
        requestedBy: ctx.user.id,
        byToken: ctx.token !== undefined,
        idempotencyKey: idempotencyKey ?? null,
      },
      deadline(ctx),
    )
    await ctx.jobs.send(tx, restoreJob, { projectId }, { singletonKey: projectId })
    await projects.publishChange(tx, projectId)
    return projects.loadResponse(ctx, tx, project)
  })

/** The column of a project's key is a UUID. */
function uuidOf(text: string) {
  const hex = createHash('sha256').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

async function restoreIntoNew(
  ctx: UserContext,
  sourceId: ProjectId,
  name: string,
  { backupId, idempotencyKey }: Restore,
): Promise<Project> {
  // It could not see the new project.
  if (ctx.token?.projects) throw problem('forbidden')
  const source = await findProject(ctx.db, sourceId)
  const backup = await siteBackups.findReady(ctx.db, sourceId, backupId)
  if (!source) throw problem('project_not_found')
  if (isDeleted(source)) throw problem('cannot_update_deleted_project')
  if (!backup) throw problem('item_not_found')
  const variables = await environment.valuesOf(ctx, sourceId)
  const { runtime, artifact } = backup
  return projects.create(
    ctx,
    {
      name,
      teamId: source.teamId,
      regionId: source.regionId,
      domain: null,
      runtime,
      idempotencyKey:
        idempotencyKey === undefined ? undefined : uuidOf(`restore ${backupId} ${idempotencyKey}`),
    },
    {
      artifact,
      async store(tx, project) {
        // Its removal locks the source, too.
        await lockProject(tx, sourceId)
        if (!(await siteBackups.findReady(tx, sourceId, backupId))) throw problem('item_not_found')
        await environment.change(ctx, tx, project.id, { set: variables, remove: [] })
        if (artifact !== null)
          await releases.insertFirst(ctx, tx, project, { sourceId, runtime, artifact })
        await store.begin(
          tx,
          {
            projectId: project.id,
            backupId,
            backupCreatedAt: backup.createdAt,
            isNewProject: true,
            requestedBy: ctx.user.id,
            byToken: ctx.token !== undefined,
            idempotencyKey: idempotencyKey ?? null,
          },
          deadline(ctx),
        )
        await ctx.jobs.send(tx, restoreJob, { projectId: project.id }, { singletonKey: project.id })
      },
    },
  )
}

/** Sends a job for each restore whose wait is over, or whose worker was killed. */
export async function sweep(ctx: Context): Promise<void> {
  const due = await store.listDue(ctx.db, ctx.clock.now(), 100)
  if (due.length === 0) return
  await ctx.write(async (tx) => {
    for (const projectId of due)
      await ctx.jobs.send(tx, restoreJob, { projectId }, { singletonKey: projectId })
  })
}

/** Removes the record of a deleted project's newest restore. */
export const remove = store.remove
