import { viewTraffic } from '@slipway/contract/traffic'
import type { Bind } from '../../http/binder.ts'
import * as traffic from './traffic.service.ts'

export const routes = (on: Bind) => {
  on(viewTraffic, (ctx, { params, query }) => traffic.view(ctx, params.id, query.range))
}
