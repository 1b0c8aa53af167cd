import type { UserId } from '@slipway/contract/account'
import { toAmount } from '@slipway/contract/money'
import Big from 'big.js'
import { latest } from '../../clock.ts'
import type { Db } from '../../context.ts'
import * as products from '../products/products.service.ts'
import { monthEnd, monthStart } from '../usage/usage.policy.ts'
import * as usage from '../usage/usage.service.ts'
import { type Bill, calculate } from './calculation/calculation.ts'
import { itemIdOf } from './invoices.ids.ts'
import type * as store from './invoices.store.ts'

/** The billing period of an invoice; the end is exclusive. */
export type Period = { start: Date; end: Date }

export type DraftItem = Omit<store.InvoiceItem, 'invoiceId' | 'createdAt'>

/** The period of the active invoice: from the end of the last one to the end of the month. */
export function currentPeriod(account: usage.Account | undefined, now: Date): Period {
  const start = latest(monthStart(now), account?.billedUntil ?? monthStart(now))
  return { start, end: monthEnd(start) }
}

/**
 * Loads the user's usage and rates for a period. Returns functions that compute the bill as of a
 * time, and its items.
 */
export async function loadBilling(db: Db, userId: UserId, period: Period) {
  const intervals = await usage.list(db, userId, {
    start: monthStart(period.start),
    end: period.end,
  })
  const rates = await products.ratesFor(db, userId, period.end)
  const billOf = (asOf: Date) => calculate(intervals, rates, period, asOf)
  return { billOf, itemsOf: (bill: Bill) => itemsOf(userId, period, intervals, bill) }
}

/** The items of a bill with current names, in the order of `store.listItems`. */
function itemsOf(
  userId: UserId,
  period: Period,
  intervals: readonly usage.Usage[],
  bill: Bill,
): DraftItem[] {
  const usageByKey = new Map(intervals.map((interval) => [keyOf(interval), interval]))
  const items = bill.items.map(({ firstHour, ...item }): DraftItem => {
    const names = usageByKey.get(keyOf(item))
    if (!names) throw new Error(`project ${item.projectId} is billed without usage`)
    return {
      id: itemIdOf(userId, period.start, { ...item, firstHour }),
      projectId: item.projectId,
      projectKey: names.projectKey,
      projectName: names.projectName,
      productId: item.productId,
      productNames: names.productNames,
      price: toAmount(item.price),
      discount: item.discount && toAmount(item.discount),
      runningHours: item.runningHours,
      amount: toAmount(item.amount),
      discountAmount: toAmount(item.discountAmount),
      totalAmount: toAmount(item.totalAmount),
      startsAt: item.startsAt,
    }
  })
  return items.sort(
    (first, second) =>
      compare(first.projectName, second.projectName) ||
      compare(first.projectId, second.projectId) ||
      first.startsAt.getTime() - second.startsAt.getTime() ||
      compare(first.id, second.id),
  )
}

const keyOf = ({ projectId, productId }: { projectId: string; productId: string }) =>
  `${projectId} ${productId}`

const compare = (first: string, second: string) => (first < second ? -1 : first > second ? 1 : 0)

/** Hours and cost of each product, the most expensive first. */
export function usageOf(items: readonly DraftItem[]) {
  const usages = [...Map.groupBy(items, (item) => item.productId).values()].flatMap(
    (productItems) => {
      const names = productItems[0]?.productNames
      const runningHours = productItems.reduce((hours, item) => hours + item.runningHours, 0)
      const total = productItems.reduce((sum, item) => sum.plus(item.totalAmount), new Big(0))
      return names ? [{ names, runningHours, total }] : []
    },
  )
  return usages.sort((first, second) => second.total.cmp(first.total))
}
