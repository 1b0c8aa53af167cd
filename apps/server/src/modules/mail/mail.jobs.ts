import type { Job } from '../../jobs.ts'
import type { MailId } from './mail.schema.ts'
import * as mail from './mail.service.ts'

export const jobs: Job[] = [
  {
    name: mail.deliverJob,
    concurrency: 4,
    // About a day of attempts: what a mail server is down for at the most.
    options: { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 7200 },
    handle: (ctx, { mailId }, attempt) => mail.deliver(ctx, mailId as MailId, attempt),
  },
]
