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

/** Notes that the creation of a project begins, or begins once more. The project's row must be locked, or new. */
export async function beginAttempt(ctx: Pick<Context, 'clock' | 'engine'>, tx: Tx, id: ProjectId) {
  const before = await creations.find(tx, id)
  const begun = attempts.newAttempt(before, ctx.engine.steps, ctx.clock.now())
  await creations.save(tx, id, begun)
}

/** The first thing that the engine does for a project, or else what comes after it. */
export const firstStep = ({ engine }: Pick<Context, 'engine'>): ProjectStep =>
  engine.steps[0] ?? 'answer'

/**
 * Notes that the creation came to a step at a moment; false when that was known, or is nobody's to know:
 * projects of before have no record. The project's row must be locked.
 */
export async function startStep(
  tx: Tx,
  id: ProjectId,
  step: ProjectStep,
  at: Date,
): Promise<boolean> {
  const attempt = await creations.find(tx, id)
  const moved = attempt && attempts.withStepStarted(attempt, step, at)
  if (moved) await creations.save(tx, id, moved)
  return moved !== undefined
}

/** Notes how the creation ended: well, or with a failure. The project's row must be locked. */
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

/** How the creation of a project gets on, or went; null for one of before that was noted. */
export async function progressOf(ctx: Ctx, db: Db, id: ProjectId): Promise<ProjectProgress | null> {
  const attempt = await creations.find(db, id)
  return attempt ? attempts.present(attempt, ctx.clock.now()) : null
}

/**
 * Takes the engine's reports of a project that is created. They are written while the engine goes on, each
 * with the time it came at, so that nobody waits longer for being told: `written` resolves when all are, and
 * `settled` also when one could not be.
 */
export function createReporter(
  ctx: Pick<Context, 'clock' | 'write'>,
  project: Project,
  announce: (tx: Tx, id: ProjectId) => Promise<void>,
): { report: Report; written: () => Promise<void>; settled: () => Promise<void> } {
  let last = Promise.resolve()
  const write = (step: ProjectStep, at: Date) =>
    ctx.write(async (tx) => {
      if (!(await creations.lockIfUnchanged(tx, project))) return
      if (await startStep(tx, project.id, step, at)) await announce(tx, project.id)
    })

  return {
    report(step) {
      if (project.state !== 'creating') return
      const at = ctx.clock.now()
      last = last.then(() => write(step, at))
      // It is heard by whoever waits for `written`, which may be later than it fails.
      last.catch(() => undefined)
    },
    written: () => last,
    settled: () => last.catch(() => undefined),
  }
}
