import type { Job } from '../../jobs.ts'

export const jobs: Job[] = [
  {
    name: 'sessions.remove-expired',
    schedule: '17 * * * *',
    handle: async (ctx) => {
      await ctx.sessions.removeExpired()
    },
  },
]
