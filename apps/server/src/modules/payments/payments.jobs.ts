import type { PaymentId } from '@slipway/contract/invoices'
import { minute, second } from '@slipway/contract/limits'
import type { Job, Timer } from '../../jobs.ts'
import { resolve, resolveJob, sweep } from './settlement/resolver.ts'

export const jobs: Job[] = [
  {
    name: resolveJob,
    concurrency: 4,
    options: {
      // At most one queued or running job per payment.
      policy: 'exclusive',
      // No retry: the next sweep enqueues another job while a check is due.
      retryLimit: 0,
      deleteAfterSeconds: (10 * minute) / second,
    },
    handle: (ctx, { paymentId = '' }) => resolve(ctx, paymentId as PaymentId),
  },
]

export const timers: Timer[] = [{ name: 'payments.sweep', every: 5 * second, run: sweep }]
