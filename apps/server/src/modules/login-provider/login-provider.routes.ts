import {
  checkAuthorizationRequest,
  checkLogoutRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import type { Bind } from '../../http/binder.ts'
import { checkLogout } from './login-provider.logout.service.ts'
import * as loginProvider from './login-provider.service.ts'

export const routes = (on: Bind) => {
  on(createAuthorizationCode, (ctx, { body }) => loginProvider.createCode(ctx, body))
  on(checkAuthorizationRequest, (ctx, { body }) => loginProvider.checkRequest(ctx, body))
  on(checkLogoutRequest, (ctx, { body }) => checkLogout(ctx, body))
}
