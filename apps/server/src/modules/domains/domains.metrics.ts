import { domainStates } from '@slipway/contract/domain-state'
import type { Measurement } from '../../metrics/measurement.ts'
import { countByState } from './domains.store.ts'

export const metrics: Measurement[] = [
  {
    name: 'domains',
    gauges: [
      {
        name: 'slipway_domains',
        help: 'Custom domains by state: pending (not proven), active, failed (proven, but not leading here any more).',
        labels: ['state'],
      },
    ],
    async read({ db }) {
      const counts = new Map((await countByState(db)).map((row) => [row.state, row.count]))
      return domainStates.map((state) => ({
        name: 'slipway_domains',
        labels: { state },
        value: counts.get(state) ?? 0,
      }))
    },
  },
]
