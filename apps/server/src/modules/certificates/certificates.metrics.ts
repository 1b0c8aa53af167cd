import { certificateProblems } from '@slipway/contract/domains'
import { second } from '@slipway/contract/limits'
import { Counter } from 'prom-client'
import type { Measurement } from '../../metrics/measurement.ts'
import * as store from './certificates.store.ts'

const outcomes = ['issued', ...certificateProblems] as const

const orders = new Counter({
  name: 'slipway_certificate_orders_total',
  help: 'Certificate orders that ended, by outcome: issued, or the problem that failed them.',
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
        help: 'Certificates by days until they expire. Each counts once, in its narrowest range.',
        labels: ['days_left'],
      },
      {
        name: 'slipway_certificates_failing',
        help: 'Hosts whose last certificate order failed, by problem.',
        labels: ['problem'],
      },
      {
        name: 'slipway_own_certificate_left_seconds',
        help: "Seconds until the first of the service's own certificates expires; 0 if one was never issued.",
      },
    ],
    async read({ db, clock }) {
      const now = clock.now()
      const { byDaysLeft, byProblem } = await store.countAll(db, now)
      const ownEnd = await store.findFirstOwnEnd(db, now)
      return [
        ...(ownEnd
          ? [
              {
                name: 'slipway_own_certificate_left_seconds',
                value: (ownEnd.getTime() - now.getTime()) / second,
              },
            ]
          : []),
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
