import { newId } from '../../db/ids.ts'
import type { TestUser, World } from '../../testing/world.ts'
import type { projects } from '../projects/projects.schema.ts'
import { monthStart } from './usage.policy.ts'
import { billingAccounts, usageIntervals } from './usage.schema.ts'

/**
 * Stores a project of the user's own team with one usage interval, which is open if there is no
 * `to`. Creates a billing account from the start of that month, unless the user has one.
 */
export async function usageOf(
  { ctx, project }: Pick<World, 'ctx' | 'project'>,
  { id: userId, teamId }: Pick<TestUser, 'id' | 'teamId'>,
  from: Date,
  to?: Date,
  overrides: Partial<Pick<typeof projects.$inferInsert, 'name'>> & { productId?: string } = {},
) {
  const { productId = 'website', ...named } = overrides
  const stored = await project({ teamId, state: to ? 'deleted' : 'ready', ...named })
  await ctx.db
    .insert(billingAccounts)
    .values({ userId, billedUntil: monthStart(from), createdAt: from })
    .onConflictDoNothing()
  await ctx.db.insert(usageIntervals).values({
    id: newId<'UsageInterval'>(),
    projectId: stored.id,
    userId,
    productId,
    startedAt: from,
    endedAt: to ?? null,
    createdAt: from,
  })
  return stored
}
