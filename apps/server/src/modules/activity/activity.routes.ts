import { listActivity } from '@slipway/contract/activity'
import type { Bind } from '../../http/binder.ts'
import * as activity from './activity.service.ts'

export const routes = (on: Bind) => {
  on(listActivity, (ctx, { query }) => activity.list(ctx, query))
}
