import { viewProjectLogs } from '@slipway/contract/logs'
import type { Bind } from '../../http/binder.ts'
import * as logs from './logs.service.ts'

export const routes = (on: Bind) => {
  on(
    viewProjectLogs,
    (ctx, { params, query }) => logs.view(ctx, params.id, query),
    (ctx, { params, query, lastEventId }) => logs.follow(ctx, params.id, query, lastEventId),
  )
}
