import { minute } from '@slipway/contract/limits'
import type { Timer } from '../../jobs.ts'
import * as secrets from './secrets.service.ts'

export const timers: Timer[] = [
  { name: 'secrets.seal-plain-values', every: minute, run: (ctx) => secrets.sealPlainValues(ctx) },
]
