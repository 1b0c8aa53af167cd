import type { UserId } from '@slipway/contract/account'
import { hour, second } from '@slipway/contract/limits'
import type { Job } from '../../jobs.ts'
import { issue, issueAll, issueJob } from './issuing/issuing.ts'

export const jobs: Job[] = [
  {
    name: 'invoices.issue-due',
    concurrency: 1,
    // Runs every five minutes, so that invoices follow the month's end or a downtime soon.
    schedule: '*/5 * * * *',
    options: { retryLimit: 0 },
    async handle(ctx) {
      await issueAll(ctx, 'month')
    },
  },
  {
    name: issueJob,
    options: {
      // At most one queued or running job per user.
      policy: 'exclusive',
      // No retry: the schedule enqueues another job while an invoice is due.
      retryLimit: 0,
      deleteAfterSeconds: hour / second,
    },
    async handle(ctx, { userId = '', upTo }) {
      await issue(ctx, userId as UserId, upTo === 'now' ? 'now' : 'month')
    },
  },
]
