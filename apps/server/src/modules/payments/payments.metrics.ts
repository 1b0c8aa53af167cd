import { ageInSeconds, type Measurement } from '../../metrics/measurement.ts'
import * as store from './payments.store.ts'

export const metrics: Measurement[] = [
  {
    name: 'payments',
    gauges: [
      {
        name: 'slipway_payments',
        help: 'Payments with an unknown outcome, and charges to refund, by state.',
        labels: ['state'],
      },
      {
        name: 'slipway_payments_oldest_age_seconds',
        help: 'The time since the oldest of these payments began, or since the oldest of these refunds is due, by state.',
        labels: ['state'],
      },
    ],
    async read({ db, clock }) {
      const states = await store.countOpen(db)
      return states.flatMap(({ state, count, oldest }) => [
        { name: 'slipway_payments', labels: { state }, value: count },
        {
          name: 'slipway_payments_oldest_age_seconds',
          labels: { state },
          value: ageInSeconds(oldest, clock.now()),
        },
      ])
    },
  },
]
