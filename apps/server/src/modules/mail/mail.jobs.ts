import type { Job } from '../../jobs.ts'
import type { MailId } from './mail.schema.ts'
import * as mail from './mail.service.ts'

export const jobs: Job[] = [
  {
    name: mail.deliverJob,
    concurrency: 4,
    options: {
      // About a day of attempts: what a mail server is down for at the most.
      retryLimit: 20,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 7200,
      // A slow server may take its time over each of the steps; trying again meanwhile would mail twice.
      expireInSeconds: 180,
    },
    handle: (ctx, { mailId }) => mail.deliver(ctx, mailId as MailId),
    deadLetter: (ctx, { mailId }) => mail.giveUp(ctx, mailId as MailId),
  },
]
