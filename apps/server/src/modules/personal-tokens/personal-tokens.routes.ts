import {
  approveDevice,
  createPersonalToken,
  deleteCurrentPersonalToken,
  deletePersonalToken,
  denyDevice,
  getCurrentPersonalToken,
  listPersonalTokens,
  pollDevice,
  requestDevice,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import type { Bind } from '../../http/binder.ts'
import * as devices from './device-authorizations.service.ts'
import * as tokens from './personal-tokens.service.ts'

export const routes = (on: Bind) => {
  on(listPersonalTokens, (ctx) => tokens.list(ctx))
  on(createPersonalToken, (ctx, { body }) => tokens.create(ctx, body))
  on(deletePersonalToken, (ctx, { params }) => tokens.remove(ctx, params.id))
  on(getCurrentPersonalToken, (ctx) => tokens.current(ctx))
  on(deleteCurrentPersonalToken, (ctx) => tokens.removeCurrent(ctx))
  on(requestDevice, (ctx, { body }) => devices.request(ctx, body.name))
  on(pollDevice, (ctx, { body }) => devices.poll(ctx, body.deviceCode))
  on(viewDevice, (ctx, { body }) => devices.view(ctx, body.code))
  on(approveDevice, (ctx, { body: { code, ...grant } }) => devices.approve(ctx, code, grant))
  on(denyDevice, (ctx, { body }) => devices.deny(ctx, body.code))
}
