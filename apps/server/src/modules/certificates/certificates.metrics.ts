import { Counter } from 'prom-client'
import type { Measurement } from '../../metrics/measurement.ts'
import { certificateProblems } from './certificates.schema.ts'
import * as store from './certificates.store.ts'

const outcomes = ['issued', ...certificateProblems] as const

const orders = new Counter({
  name: 'slipway_certificate_orders_total',
  help: 'Ended orders of certificates: issued, or the problem that they failed with.',
  labelNames: ['outcome'],
})
for (const outcome of outcomes) orders.inc({ outcome }, 0)

export const countOrder = (outcome: (typeof outcomes)[number]) => orders.inc({ outcome })

export const metrics: Measurement[] = [
  {
    name: 'certificates',
    gauges: [
      {
        name: 'slipway_certificates',
        help: 'Certificates by the days left until they expire, each in the smallest range.',
        labels: ['days_left'],
      },
      {
        name: 'slipway_certificates_failing',
        help: 'Hosts whose last order failed, by the problem.',
        labels: ['problem'],
      },
    ],
    async read({ db, clock }) {
      const { byDaysLeft, byProblem } = await store.countAll(db, clock.now())
      return [
        ...byDaysLeft.map(({ daysLeft, count }) => ({
          name: 'slipway_certificates',
          labels: { days_left: daysLeft },
          value: count,
        })),
        ...byProblem.map(({ problem, count }) => ({
          name: 'slipway_certificates_failing',
          labels: { problem },
          value: count,
        })),
      ]
    },
  },
]
