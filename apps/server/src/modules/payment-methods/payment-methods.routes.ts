import { createPaymentMethod, updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import {
  deletePaymentMethod,
  listPaymentMethods,
  setDefaultPaymentMethod,
} from '@slipway/contract/payment-methods'
import type { Bind } from '../../http/binder.ts'
import * as paymentMethods from './payment-methods.service.ts'

export const routes = (on: Bind) => {
  on(listPaymentMethods, (ctx) => paymentMethods.list(ctx))
  on(createPaymentMethod, (ctx, { body }) => paymentMethods.create(ctx, body))
  on(updatePaymentMethod, (ctx, { params, body }) => paymentMethods.update(ctx, params.id, body))
  on(setDefaultPaymentMethod, (ctx, { params }) => paymentMethods.setDefault(ctx, params.id))
  on(deletePaymentMethod, (ctx, { params }) => paymentMethods.remove(ctx, params.id))
}
