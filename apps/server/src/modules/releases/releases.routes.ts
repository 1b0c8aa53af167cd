import {
  createRelease,
  deployImage,
  listReleases,
  rollBackRelease,
  updateVersion,
  viewRelease,
} from '@slipway/contract/releases'
import type { Bind } from '../../http/binder.ts'
import * as releases from './releases.service.ts'

export const routes = (on: Bind) => {
  on(createRelease, (ctx, { params, query, upload, idempotencyKey }) =>
    releases.create(ctx, params.id, upload, { ...query, idempotencyKey }),
  )
  on(deployImage, (ctx, { params, body, idempotencyKey }) =>
    releases.createFromImage(ctx, params.id, body, idempotencyKey),
  )
  on(listReleases, (ctx, { params, query }) => releases.list(ctx, params.id, query))
  on(viewRelease, (ctx, { params }) => releases.view(ctx, params.id, params.number))
  on(updateVersion, (ctx, { params, idempotencyKey }) =>
    releases.update(ctx, params.id, idempotencyKey),
  )
  on(rollBackRelease, (ctx, { params, body, idempotencyKey }) =>
    releases.rollBack(ctx, params.id, body.number, idempotencyKey),
  )
}
