import {
  changeClusterState,
  getClusterCheck,
  listClusters,
  startClusterCheck,
} from '@slipway/contract/clusters'
import type { Bind } from '../../http/binder.ts'
import * as clusters from './clusters.service.ts'

export const routes = (on: Bind) => {
  on(listClusters, (ctx) => clusters.list(ctx))
  on(changeClusterState, (ctx, { params, body }) =>
    clusters.changeState(ctx, params.name, body.state),
  )
  on(startClusterCheck, (ctx) => clusters.startCheck(ctx))
  on(getClusterCheck, (ctx) => clusters.viewCheck(ctx))
}
