import { getProfile, updateProfileName } from '@slipway/contract/account'
import type { Bind } from '../../http/binder.ts'
import * as account from './account.service.ts'

export const routes = (on: Bind) => {
  on(getProfile, (ctx) => account.profile(ctx))
  on(updateProfileName, (ctx, { body }) => account.rename(ctx, body.name))
}
