import { activity } from '../../apps/server/src/modules/activity/activity.schema.ts'
import type { TestDatabase } from './database.ts'
import { ownTeam, type TestUser } from './user.ts'

/** Adds entries of the user's own team: the list of projects shows three or more. */
export async function insertActivity({ db }: TestDatabase, user: TestUser, count: number) {
  const { id: teamId } = await ownTeam(user)
  await db.insert(activity).values(
    Array.from({ length: count }, (_, index) => ({
      kind: 'team_renamed' as const,
      teamId,
      actor: 'service' as const,
      before: `Team ${index}`,
      after: `Team ${index + 1}`,
      createdAt: new Date(),
    })),
  )
}
