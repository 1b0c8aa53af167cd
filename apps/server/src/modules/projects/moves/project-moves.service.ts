import { minute } from '@slipway/contract/limits'
import type { MoveObstacle, ProjectMove } from '@slipway/contract/project-moves'
import type { ProjectDetail, ProjectId } from '@slipway/contract/projects'
import type { Context, UserContext } from '../../../context.ts'
import type { Db } from '../../../db/connect.ts'
import { configuredClusters } from '../../../env/configured-clusters.ts'
import { problem } from '../../../problem.ts'
import * as placement from '../../clusters/placement.service.ts'
import * as events from '../../events/events.service.ts'
import * as runtimes from '../../runtimes/runtimes.service.ts'
import { isBackedUp, isPaused } from '../pauses/pauses.store.ts'
import { isKey } from '../projects.key.ts'
import { isDeleted } from '../projects.policy.ts'
import * as projects from '../projects.store.ts'
import * as store from './project-moves.store.ts'

export const moveJob = 'projects.move'

/** A copy takes minutes. A move that is not finished by then is undone. */
const moveDeadline = 30 * minute

const notPossible = (obstacle: MoveObstacle) => problem('move_not_possible', obstacle)

const toResponse = ({ key }: projects.Project, move: store.Move): ProjectMove => {
  const { source, target, step, failure, detail, requestedAt, finishedAt } = move
  return {
    key,
    source,
    target,
    state: finishedAt === null ? 'running' : failure === null ? 'done' : 'failed',
    step,
    failure,
    detail,
    requestedAt: requestedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

/**
 * Begins to move a project to another cluster, for an operator; returns an open move to the same
 * cluster unchanged. Throws `project_not_found`, `item_not_found` for an unknown cluster,
 * `cannot_update_deleted_project`, and `move_not_possible` with the obstacle.
 */
export async function start(ctx: UserContext, key: string, target: string): Promise<ProjectMove> {
  const requested = isKey(key) ? await projects.findByKey(ctx.db, key) : undefined
  if (!requested) throw problem('project_not_found')
  const cluster = configuredClusters(ctx.env).find(({ name }) => name === target)
  if (!cluster) throw problem('item_not_found')
  const isRunnable = await runtimes.isAvailable(ctx, requested.runtime, target)
  return ctx.write(async (tx) => {
    const project = await projects.lock(tx, requested.id)
    if (!project) throw problem('project_not_found')
    if (isDeleted(project)) throw problem('cannot_update_deleted_project')
    const open = await store.findOpen(tx, project.id)
    if (open?.target === target) return toResponse(project, open)
    if (open) throw notPossible('in_progress')
    if ((await isPaused(tx, project.id)) || (await isBackedUp(tx, project.id)))
      throw notPossible('backup')
    if (project.cluster === target) throw notPossible('same_cluster')
    if (cluster.regionId !== null && cluster.regionId !== project.regionId)
      throw notPossible('other_region')
    if (project.state !== 'ready' && project.state !== 'modifying') throw notPossible('not_ready')
    if (!isRunnable) throw notPossible('runtime_not_available')
    const obstacle = await placement.obstacleOf(tx, target)
    if (obstacle !== null) throw notPossible(obstacle)
    const now = ctx.clock.now()
    const move = await store.begin(
      tx,
      { projectId: project.id, source: project.cluster, target, requestedBy: ctx.user.id },
      { now, deadlineAt: new Date(now.getTime() + moveDeadline) },
    )
    await ctx.jobs.send(tx, moveJob, { projectId: project.id }, { singletonKey: project.id })
    await events.publish(tx, {
      kind: 'Project',
      data: { type: 'Updated', projectId: project.id },
    })
    ctx.log.warn(
      { key, source: project.cluster, target, userId: ctx.user.id },
      'operator moves a project to another cluster',
    )
    return toResponse(project, move)
  })
}

/**
 * The newest move of a project, for operators. Throws `project_not_found`, and `item_not_found` for
 * one that was never moved.
 */
export async function view(ctx: UserContext, key: string): Promise<ProjectMove> {
  const project = isKey(key) ? await projects.findByKey(ctx.db, key) : undefined
  if (!project) throw problem('project_not_found')
  const move = await store.find(ctx.db, project.id)
  if (!move) throw problem('item_not_found')
  return toResponse(project, move)
}

/** The public view of a move in progress; null without one. */
export async function present(db: Db, id: ProjectId): Promise<ProjectDetail['move']> {
  const move = await store.findUnderway(db, id)
  return move ? { isPaused: move.pausedAt !== null } : null
}

/** Sends a job for each move whose wait is over, or whose worker was killed. */
export async function sweep(ctx: Context): Promise<void> {
  const due = await store.listDue(ctx.db, ctx.clock.now(), 100)
  if (due.length === 0) return
  await ctx.write(async (tx) => {
    for (const projectId of due)
      await ctx.jobs.send(tx, moveJob, { projectId }, { singletonKey: projectId })
  })
}
