import { newId } from '../../db/ids.ts'
import type { TestUser, World } from '../../testing/world.ts'
import type { projects } from '../projects/projects.schema.ts'
import { monthStart } from './usage.policy.ts'
import { billingAccounts, usageIntervals } from './usage.schema.ts'

/**
 * Stores a project of the person's own team that ran from the one moment to the other, or runs since then; as
 * if it had come there. The person's account begins with that month, unless they have one.
 */
export async function usageOf(
  { ctx, project }: Pick<World, 'ctx' | 'project'>,
  { id: userId, teamId }: Pick<TestUser, 'id' | 'teamId'>,
  from: Date,
  to?: Date,
  more: Partial<Pick<typeof projects.$inferInsert, 'name'>> & { productId?: string } = {},
) {
  const { productId = 'website', ...named } = more
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
