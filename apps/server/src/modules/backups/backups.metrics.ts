import { ageInSeconds, type Measurement } from '../../metrics/measurement.ts'
import * as backups from './backups.service.ts'

export const metrics: Measurement[] = [
  {
    name: 'backups',
    gauges: [
      {
        name: 'slipway_backup_age_seconds',
        help: 'The time since the newest complete backup; absent when there is none.',
      },
    ],
    async read(ctx) {
      const newest = await backups.newest(ctx)
      if (!newest) return []
      const value = ageInSeconds(newest.finishedAt, ctx.clock.now())
      return [{ name: 'slipway_backup_age_seconds', value }]
    },
  },
]
