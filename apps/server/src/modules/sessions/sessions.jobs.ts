import type { Job } from '../../jobs.ts'

export const jobs: Job[] = [
  {
    name: 'sessions.tidy',
    schedule: '17 3 * * *',
    handle: async (ctx) => {
      await ctx.sessions.tidy()
    },
  },
]
