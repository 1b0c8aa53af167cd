import { minute, second } from '@slipway/contract/limits'
import type { Job, Timer } from '../../jobs.ts'
import { sendNotices } from './certificates.notices.ts'
import { openOrdersPerAuthority } from './certificates.policy.ts'
import { processCertificate } from './certificates.process.ts'
import type { CertificateId } from './certificates.schema.ts'
import {
  certificateJobName,
  removeOldOrders,
  requestOwnCertificates,
  sweep,
} from './certificates.service.ts'

export const jobs: Job[] = [
  {
    name: certificateJobName,
    // A job mostly waits for the CA.
    concurrency: 8,
    options: {
      policy: 'exclusive',
      // No retries: the sweep enqueues the next job while the certificate is due.
      retryLimit: 0,
      // Enough for one poll of the CA and a DNS hook that waits for name servers.
      expireInSeconds: (15 * minute) / second,
      deleteAfterSeconds: (10 * minute) / second,
    },
    async handle(ctx, { certificateId = '' }) {
      const hasEnded = await processCertificate(ctx, certificateId as CertificateId)
      // A slot is free: starts the next orders at once.
      if (hasEnded) await sweep(ctx, openOrdersPerAuthority)
    },
  },
  { name: 'certificates.notices', schedule: '23 * * * *', handle: sendNotices },
  { name: 'certificates.tidy', schedule: '43 4 * * *', handle: (ctx) => removeOldOrders(ctx) },
]

export const timers: Timer[] = [
  { name: 'certificates.sweep', every: 15 * second, run: (ctx) => sweep(ctx) },
  { name: 'certificates.own-hosts', every: 10 * minute, run: requestOwnCertificates },
]
