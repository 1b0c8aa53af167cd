import { listRegions } from '@slipway/contract/regions'
import type { Bind } from '../../http/binder.ts'
import * as regions from './regions.service.ts'

export const routes = (on: Bind) => {
  on(listRegions, async (ctx) => regions.list(ctx))
}
