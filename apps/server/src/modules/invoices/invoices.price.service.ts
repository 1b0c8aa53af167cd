import { limits } from '@slipway/contract/limits'
import { toAmount } from '@slipway/contract/money'
import type { ProjectPrice } from '@slipway/contract/projects'
import type Big from 'big.js'
import type { UserContext } from '../../context.ts'
import { websiteProductId } from '../products/products.policy.ts'
import * as products from '../products/products.service.ts'
import { netOf, ratesOf } from './calculation/rates.ts'

/** The price of an hour, and the maximum for a calendar month. */
const rateOf = (hour: Big) => ({
  hour: toAmount(hour),
  month: toAmount(hour.times(limits.billedHoursPerMonth)),
})

/** The current price of a project in US dollars: the list price, and with the user's discount. */
export async function ofProject(ctx: UserContext): Promise<ProjectPrice> {
  // The end of `ratesFor` is exclusive: a millisecond later includes a price that starts now.
  const now = ctx.clock.now().getTime()
  const rates = await products.ratesFor(ctx.db, ctx.user.id, new Date(now + 1))
  const rate = ratesOf(websiteProductId, rates).at(-1)
  if (!rate) throw new Error(`the product ${websiteProductId} has no price`)
  return { list: rateOf(rate.price), own: rateOf(netOf(rate)) }
}
