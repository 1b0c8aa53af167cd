import type {
  ProjectFailure,
  ProjectId,
  ProjectProgress,
  ProjectStep,
} from '@slipway/contract/projects'
import type { Context, Db, Tx } from '../../../context.ts'
import type { Report } from '../../../engines/hosting/engine.ts'
import type { Project } from '../projects.store.ts'
import * as attempts from './creation.policy.ts'
import * as creations from './creation.store.ts'

type Ctx = Pick<Context, 'clock'>

/** Stores the first or next creation attempt of a project, whose row must be new or locked. */
export async function beginAttempt(
  ctx: Pick<Context, 'clock' | 'engine'>,
  tx: Tx,
  { id, cluster }: Pick<Project, 'id' | 'cluster'>,
) {
  const before = await creations.find(tx, id)
  const attempt = attempts.newAttempt(before, ctx.engine.stepsOf(cluster), ctx.clock.now())
  await creations.save(tx, id, attempt)
}

/** The engine's first step, or the step after it if the engine has none. */
export const firstStep = (
  { engine }: Pick<Context, 'engine'>,
  { cluster }: Pick<Project, 'cluster'>,
): ProjectStep => engine.stepsOf(cluster)[0] ?? 'answer'

/**
 * Records that a step of the creation started at `startedAt`. False when it had started before, or
 * for an older project without a record. The project's row must be locked.
 */
export async function startStep(
  tx: Tx,
  id: ProjectId,
  step: ProjectStep,
  startedAt: Date,
): Promise<boolean> {
  const attempt = await creations.find(tx, id)
  const next = attempt && attempts.withStepStarted(attempt, step, startedAt)
  if (next) await creations.save(tx, id, next)
  return next !== undefined
}

/** Records the end of the creation, with its failure or null. The project's row must be locked. */
export async function endAttempt(ctx: Ctx, tx: Tx, id: ProjectId, failure: ProjectFailure | null) {
  const attempt = await creations.find(tx, id)
  if (!attempt) return
  const now = ctx.clock.now()
  const ended =
    failure === null
      ? attempts.withAllDone(attempt, now)
      : attempts.withFailure(attempt, failure, now)
  await creations.save(tx, id, ended)
}

/** The progress of a project's newest attempt; null for an older project without a record. */
export async function progressOf(ctx: Ctx, db: Db, id: ProjectId): Promise<ProjectProgress | null> {
  const attempt = await creations.find(db, id)
  return attempt ? attempts.toResponse(attempt, ctx.clock.now()) : null
}

/**
 * Records the engine's progress reports for a project in creation. Writes run beside the engine,
 * one after the other, each with the report's time. `written` resolves once all are stored and
 * rejects if one failed; `settled` always resolves.
 */
export function createReporter(
  ctx: Pick<Context, 'clock' | 'write'>,
  project: Project,
  publishChange: (tx: Tx, id: ProjectId) => Promise<void>,
): { report: Report; written: () => Promise<void>; settled: () => Promise<void> } {
  let last = Promise.resolve()
  const write = (step: ProjectStep, startedAt: Date) =>
    ctx.write(async (tx) => {
      if (!(await creations.lockIfUnchanged(tx, project))) return
      if (await startStep(tx, project.id, step, startedAt)) await publishChange(tx, project.id)
    })

  return {
    report(step) {
      if (project.state !== 'creating') return
      const startedAt = ctx.clock.now()
      last = last.then(() => write(step, startedAt))
      // The caller of `written` handles the rejection, possibly later.
      last.catch(() => undefined)
    },
    written: () => last,
    settled: () => last.catch(() => undefined),
  }
}
