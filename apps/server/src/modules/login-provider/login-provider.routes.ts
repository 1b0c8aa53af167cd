import { createAuthorizationCode } from '@slipway/contract/login-provider'
import type { Bind } from '../../http/binder.ts'
import * as loginProvider from './login-provider.service.ts'

export const routes = (on: Bind) => {
  on(createAuthorizationCode, (ctx, { body }) => loginProvider.createCode(ctx, body))
}
