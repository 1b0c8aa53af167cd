import { listServiceLinks } from '@slipway/contract/service-links'
import type { Bind } from '../../http/binder.ts'
import * as serviceLinks from './service-links.service.ts'

export const routes = (on: Bind) => {
  on(listServiceLinks, async (ctx) => serviceLinks.list(ctx))
}
