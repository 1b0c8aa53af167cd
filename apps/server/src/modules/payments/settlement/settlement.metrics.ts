import { Counter } from 'prom-client'
import type { Payment } from '../payments.store.ts'

const settlements = new Counter({
  name: 'slipway_payments_settled_total',
  help: 'Payments whose outcome this process stored, by state and reason of the failure.',
  labelNames: ['state', 'failure'],
})

export const countSettled = ({ state, failure }: Pick<Payment, 'state' | 'failure'>) =>
  settlements.inc({ state, failure: failure ?? '' })
