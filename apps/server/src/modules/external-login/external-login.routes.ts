import { listLoginProviders } from '@slipway/contract/sessions'
import type { Bind } from '../../http/binder.ts'

export const routes = (on: Bind) => {
  on(listLoginProviders, async (ctx) => ctx.loginProviders)
}
