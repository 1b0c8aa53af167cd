import type { UserId } from '@slipway/contract/account'
import { hour, second } from '@slipway/contract/limits'
import type { Job } from '../../jobs.ts'
import { issue, issueAll, issueJob } from './issuing/issuing.ts'

export const jobs: Job[] = [
  {
    name: 'invoices.issue-due',
    concurrency: 1,
    // Often, so that a month's invoices are out soon after its end, also when the service was down just then.
    schedule: '*/5 * * * *',
    options: { retryLimit: 0 },
    async handle(ctx) {
      await issueAll(ctx, 'month')
    },
  },
  {
    name: issueJob,
    options: {
      // One at a time for each customer, however often the schedule comes by.
      policy: 'exclusive',
      // The schedule sends another for as long as there is something to issue.
      retryLimit: 0,
      deleteAfterSeconds: hour / second,
    },
    async handle(ctx, { userId = '', upTo }) {
      await issue(ctx, userId as UserId, upTo === 'now' ? 'now' : 'month')
    },
  },
]
