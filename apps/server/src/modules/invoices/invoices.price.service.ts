import { limits } from '@slipway/contract/limits'
import { toAmount } from '@slipway/contract/money'
import type { ProjectPrice } from '@slipway/contract/projects'
import type Big from 'big.js'
import type { UserContext } from '../../context.ts'
import { website } from '../products/products.policy.ts'
import * as products from '../products/products.service.ts'
import { netOf, ratesOf } from './calculation/rates.ts'

/** An hour of that price, and the most that the hours of a calendar month come to. */
const rateOf = (hour: Big) => ({
  hour: toAmount(hour),
  month: toAmount(hour.times(limits.billedHoursPerMonth)),
})

/** What a project costs from now on, in US dollars: as listed, and less the user's own discount. */
export async function ofProject(ctx: UserContext): Promise<ProjectPrice> {
  // What is set for later does not count yet; what holds from this moment on does.
  const now = ctx.clock.now().getTime()
  const rates = await products.ratesFor(ctx.db, ctx.user.id, new Date(now + 1))
  const rate = ratesOf(website, rates).at(-1)
  if (!rate) throw new Error(`the product ${website} has no price`)
  return { list: rateOf(rate.price), own: rateOf(netOf(rate)) }
}
