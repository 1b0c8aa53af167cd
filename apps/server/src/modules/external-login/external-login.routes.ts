import { exchangeExternalLogin, listLoginProviders } from '@slipway/contract/sessions'
import type { Bind } from '../../http/binder.ts'
import * as externalLogin from './external-login.service.ts'

export const routes = (on: Bind) => {
  on(listLoginProviders, async (ctx) => ctx.loginProviders)
  on(exchangeExternalLogin, (ctx, { body }) => externalLogin.exchange(ctx, body))
}
