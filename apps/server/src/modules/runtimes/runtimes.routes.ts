import { listRuntimes } from '@slipway/contract/runtimes'
import type { Bind } from '../../http/binder.ts'
import * as runtimes from './runtimes.service.ts'

export const routes = (on: Bind) => {
  on(listRuntimes, (ctx, { query }) => runtimes.list(ctx, query.regionId))
}
