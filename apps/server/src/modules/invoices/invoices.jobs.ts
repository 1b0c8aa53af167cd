import type { UserId } from '@slipway/contract/account'
import type { InvoiceRunId } from '@slipway/contract/invoices'
import { hour, second } from '@slipway/contract/limits'
import type { Job } from '../../jobs.ts'
import { issue, issueDue, issueJob } from './issuing/issuing.ts'
import { giveUp, issueInRun, listCustomers, runJob, tidyRuns } from './issuing/runs.ts'

export const jobs: Job[] = [
  {
    name: 'invoices.issue-due',
    concurrency: 1,
    // Runs every five minutes, so that invoices follow the month's end or a downtime soon.
    schedule: '*/5 * * * *',
    options: { retryLimit: 0 },
    async handle(ctx) {
      await issueDue(ctx)
    },
  },
  {
    name: runJob,
    concurrency: 1,
    // 100,000 customers take minutes to list.
    options: { expireInSeconds: hour / second },
    handle: (ctx, { runId }) => listCustomers(ctx, runId as InvoiceRunId),
  },
  {
    name: issueJob,
    concurrency: 4,
    options: {
      // At most one queued or running job per key.
      policy: 'exclusive',
      // Only jobs of a run: the schedule enqueues a monthly job again while an invoice is due.
      retryLimit: 2,
      deleteAfterSeconds: hour / second,
    },
    async handle(ctx, { userId = '', runId }) {
      if (runId) await issueInRun(ctx, runId as InvoiceRunId, userId as UserId)
      else await issue(ctx, userId as UserId, 'month')
    },
    async deadLetter(ctx, { userId = '', runId }) {
      if (runId) await giveUp(ctx, runId as InvoiceRunId, userId as UserId)
    },
  },
  { name: 'invoices.tidy-runs', schedule: '27 3 * * *', handle: tidyRuns },
]
