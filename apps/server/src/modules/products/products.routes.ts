import { changeDiscount, changePrice, listProducts } from '@slipway/contract/products'
import type { Bind } from '../../http/binder.ts'
import * as products from './products.service.ts'

export const routes = (on: Bind) => {
  on(listProducts, (ctx) => products.list(ctx))
  on(changePrice, (ctx, { body }) => products.changePrice(ctx, body))
  on(changeDiscount, (ctx, { body }) => products.changeDiscount(ctx, body))
}
