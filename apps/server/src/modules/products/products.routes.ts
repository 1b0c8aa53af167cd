import { changeDiscount, changePrice, listProducts } from '@slipway/contract/products'
import type { Bind } from '../../http/binder.ts'
import * as products from './products.service.ts'

export const routes = (on: Bind) => {
  on(listProducts, (ctx) => products.all(ctx))
  on(changePrice, (ctx, { body }) => products.setPrice(ctx, body))
  on(changeDiscount, (ctx, { body }) => products.setDiscount(ctx, body))
}
