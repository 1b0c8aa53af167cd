import type { MailId } from '@slipway/contract/emails'
import type { Job } from '../../jobs.ts'
import * as mail from './mail.service.ts'

export const jobs: Job[] = [
  {
    name: mail.deliverJob,
    concurrency: 8,
    // A domain whose server hangs leaves workers to the others.
    exclusiveGroups: true,
    // An attempt that fails is retried by a new job; pg-boss retries those of killed processes.
    handle: (ctx, { mailId }) => mail.deliver(ctx, mailId as MailId),
    deadLetter: (ctx, { mailId }) => mail.giveUp(ctx, mailId as MailId),
  },
  { name: 'mail.tidy', schedule: '37 3 * * *', handle: (ctx) => mail.tidy(ctx) },
]
