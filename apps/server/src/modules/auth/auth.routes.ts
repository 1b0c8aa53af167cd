import { changePassword } from '@slipway/contract/account-security'
import {
  forgotPassword,
  resetPassword,
  sendVerifyEmail,
  signUp,
  verifyEmail,
} from '@slipway/contract/auth'
import { getSession, login, logout } from '@slipway/contract/sessions'
import type { Bind } from '../../http/binder.ts'
import { inPasswordQueue } from './auth.queue.ts'
import * as auth from './auth.service.ts'
import * as verification from './auth.verify.service.ts'

export const routes = (on: Bind) => {
  on(signUp, (ctx, { body }) => inPasswordQueue(() => auth.signUp(ctx, body)))
  on(login, (ctx, { body }) => inPasswordQueue(() => auth.login(ctx, body)))
  on(getSession, (ctx) => auth.session(ctx))
  on(logout, (ctx) => auth.logout(ctx))
  on(sendVerifyEmail, (ctx, { body }) => verification.sendVerification(ctx, body.token))
  on(verifyEmail, (ctx, { body }) => inPasswordQueue(() => verification.verify(ctx, body)))
  on(changePassword, (ctx, { body }) => inPasswordQueue(() => auth.changePassword(ctx, body)))
  on(forgotPassword, (ctx, { body }) => auth.forgotPassword(ctx, body.email))
  on(resetPassword, (ctx, { body }) => inPasswordQueue(() => auth.resetPassword(ctx, body)))
}
