import type { ProjectId } from '@slipway/contract/projects'
import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/connect.ts'
import { projectCreations, projects } from '../projects.schema.ts'
import type { Project } from '../projects.store.ts'
import type { Attempt } from './creation.policy.ts'

export async function find(db: Db, projectId: ProjectId): Promise<Attempt | undefined> {
  const { attempt, steps } = projectCreations
  const [creation] = await db
    .select({ attempt, steps })
    .from(projectCreations)
    .where(eq(projectCreations.projectId, projectId))
  return creation
}

/** The project's row must be locked. */
export const save = (tx: Tx, projectId: ProjectId, { attempt, steps }: Attempt) =>
  tx
    .insert(projectCreations)
    .values({ projectId, attempt, steps })
    .onConflictDoUpdate({ target: projectCreations.projectId, set: { attempt, steps } })

/** Locks the project if it still has this state and generation; otherwise resolves with false. */
export async function lockIfUnchanged(
  tx: Tx,
  expected: Pick<Project, 'id' | 'state' | 'generation'>,
): Promise<boolean> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.id, expected.id),
        eq(projects.state, expected.state),
        eq(projects.generation, expected.generation),
      ),
    )
    .for('no key update')
  return rows.length === 1
}
