import { ageInSeconds, type Measurement } from '../../metrics/measurement.ts'
import * as store from './projects.metrics.store.ts'

export const metrics: Measurement[] = [
  {
    name: 'projects',
    gauges: [
      { name: 'slipway_projects', help: 'Undeleted projects, by state.', labels: ['state'] },
      {
        name: 'slipway_projects_oldest_age_seconds',
        help: 'The time since the last change of the project that has not changed for longest, by state.',
        labels: ['state'],
      },
    ],
    async read({ db, clock }) {
      const states = await store.countByState(db)
      return states.flatMap(({ state, count, oldest }) => [
        { name: 'slipway_projects', labels: { state }, value: count },
        {
          name: 'slipway_projects_oldest_age_seconds',
          labels: { state },
          value: ageInSeconds(oldest, clock.now()),
        },
      ])
    },
  },
  {
    name: 'overdue projects',
    gauges: [
      {
        name: 'slipway_projects_overdue',
        help: 'Projects in a transitional state past its deadline.',
      },
    ],
    read: async ({ db, clock }) => [
      { name: 'slipway_projects_overdue', value: await store.countOverdue(db, clock.now()) },
    ],
  },
  {
    name: 'projects without their data',
    gauges: [
      {
        name: 'slipway_projects_data_missing',
        help: 'Projects whose files are lost: an operator restores or gives them up.',
      },
    ],
    read: async ({ db }) => [
      { name: 'slipway_projects_data_missing', value: await store.countDataMissing(db) },
    ],
  },
]
