import { restoreSiteBackup } from '@slipway/contract/site-backups'
import type { Bind } from '../../http/binder.ts'
import * as siteRestores from './site-restores.service.ts'

export const routes = (on: Bind) => {
  on(restoreSiteBackup, (ctx, { params, body, idempotencyKey }) =>
    siteRestores.restore(ctx, params.id, { ...body, idempotencyKey }),
  )
}
