import { Counter } from 'prom-client'
import { ageInSeconds, type Measurement } from '../../metrics/measurement.ts'
import * as store from './mail.store.ts'

const attempts = new Counter({
  name: 'slipway_email_attempts_total',
  help: 'Attempts to send an email: sent, deferred to a retry, or failed for good.',
  labelNames: ['outcome'],
})

export const countAttempt = (outcome: 'sent' | 'deferred' | 'failed') => attempts.inc({ outcome })

export const metrics: Measurement[] = [
  {
    name: 'emails',
    gauges: [
      {
        name: 'slipway_emails',
        help: 'Emails that are not sent, by state.',
        labels: ['state'],
      },
      {
        name: 'slipway_emails_oldest_age_seconds',
        help: 'The age of the oldest email that is not sent, by state.',
        labels: ['state'],
      },
    ],
    async read({ db, clock }) {
      const states = await store.countUnsent(db)
      return states.flatMap(({ state, count, oldest }) => [
        { name: 'slipway_emails', labels: { state }, value: count },
        {
          name: 'slipway_emails_oldest_age_seconds',
          labels: { state },
          value: ageInSeconds(oldest, clock.now()),
        },
      ])
    },
  },
]
