import type { EmailId } from '@slipway/contract/emails'
import { second } from '@slipway/contract/limits'
import type { Job, Timer } from '../../jobs.ts'
import * as mail from './mail.service.ts'

export const jobs: Job[] = [
  {
    name: mail.deliverJob,
    concurrency: 8,
    // A domain whose server hangs does not occupy the workers that others need.
    exclusiveGroups: true,
    // A new job retries a failed attempt; the sweep finds attempts of killed processes.
    handle: (ctx, { mailId }) => mail.deliver(ctx, mailId as EmailId),
  },
  { name: 'mail.tidy', schedule: '37 3 * * *', handle: (ctx) => mail.removeOldEmails(ctx) },
]

export const timers: Timer[] = [{ name: 'mail.sweep', every: 30 * second, run: mail.sweep }]
