import type { Audience } from '../../events.ts'

/** What concerns one user is told to that user alone. */
export const audience: Audience<'User'> = {
  User: async (_ctx, { userId }) => [userId],
}
