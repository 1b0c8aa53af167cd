import {
  createSiteBackup,
  downloadSiteBackup,
  listSiteBackups,
} from '@slipway/contract/site-backups'
import type { Bind } from '../../http/binder.ts'
import * as siteBackups from './site-backups.service.ts'

export const routes = (on: Bind) => {
  on(listSiteBackups, (ctx, { params, query }) => siteBackups.list(ctx, params.id, query))
  on(createSiteBackup, (ctx, { params, idempotencyKey }) =>
    siteBackups.create(ctx, params.id, idempotencyKey),
  )
  on(downloadSiteBackup, (ctx, { params }) => siteBackups.download(ctx, params.id, params.backupId))
}
