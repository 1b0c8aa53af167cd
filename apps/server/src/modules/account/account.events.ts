import type { Audience } from '../../events.ts'

/** An event about a user is sent to that user only. */
export const audience: Audience<'User'> = {
  User: async (_ctx, { userId }) => [userId],
}
