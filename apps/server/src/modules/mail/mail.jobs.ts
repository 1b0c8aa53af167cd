import type { Job } from '../../jobs.ts'
import type { MailId } from './mail.schema.ts'
import * as mail from './mail.service.ts'

export const jobs: Job[] = [
  {
    name: mail.deliverJob,
    concurrency: 4,
    options: {
      // About a day of retries, to outlast an outage of the SMTP server.
      retryLimit: 20,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 7200,
      // Longer than the SMTP timeouts together: an early retry would send the email twice.
      expireInSeconds: 180,
    },
    handle: (ctx, { mailId }) => mail.deliver(ctx, mailId as MailId),
    deadLetter: (ctx, { mailId }) => mail.giveUp(ctx, mailId as MailId),
  },
]
