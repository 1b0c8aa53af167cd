import type { Amount } from '@slipway/contract/amount'
import type { Seller } from '@slipway/contract/invoices'
import { toAmount } from '@slipway/contract/money'
import type Big from 'big.js'
import type { Context } from '../../context.ts'

type Settings = Pick<Context, 'env'>

export const currentSeller = ({ env }: Settings): Seller => ({
  name: env.SELLER_NAME,
  address: env.SELLER_ADDRESS,
  taxNumber: env.SELLER_TAX_NUMBER ?? null,
})

/** The tax on a net sum, rounded as every amount, and the amount due with it. */
export function withTax(
  { env }: Settings,
  net: Big,
): { taxRate: string; taxAmount: Amount; amount: Amount } {
  const taxRate = env.TAX_RATE
  const taxAmount = toAmount(net.times(taxRate).div(100))
  return { taxRate, taxAmount, amount: toAmount(net.plus(taxAmount)) }
}
