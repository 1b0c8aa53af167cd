import { getClusterCheck, startClusterCheck } from '@slipway/contract/clusters'
import type { Bind } from '../../http/binder.ts'
import * as clusters from './clusters.service.ts'

export const routes = (on: Bind) => {
  on(startClusterCheck, (ctx) => clusters.start(ctx))
  on(getClusterCheck, (ctx) => clusters.view(ctx))
}
