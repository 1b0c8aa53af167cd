import type { ActiveInvoice } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { sumAmounts, toAmount } from '@slipway/contract/money'
import { localizedName } from '@slipway/phrases'
import Big from 'big.js'
import type { UserContext } from '../../context.ts'
import { monthEnd, monthStart } from '../usage/usage.policy.ts'
import * as usage from '../usage/usage.service.ts'
import type { Bill } from './calculation/calculation.ts'
import { dayStart } from './calculation/hours.ts'
import { currentPeriod, loadBilling, type Period, usageOf } from './invoices.draft.ts'
import { invoiceIdOf } from './invoices.ids.ts'
import { toItemResponse } from './invoices.present.ts'

const dateText = (date: number) => new Date(date).toISOString().slice(0, 10)

/** Every UTC day that the period overlaps. */
function daysOf({ start, end }: Period, soFar: Bill, expected: Bill): ActiveInvoice['days'] {
  const days: ActiveInvoice['days'] = []
  for (let date = dayStart(start.getTime()); date < end.getTime(); date += day)
    days.push({
      date: dateText(date),
      amount: toAmount(soFar.days.get(date) ?? new Big(0)),
      expected: toAmount(expected.days.get(date) ?? new Big(0)),
    })
  return days
}

const costsOf = (bill: Bill) =>
  new Map(
    [...Map.groupBy(bill.items, ({ projectId }) => projectId)].map(([projectId, items]) => [
      projectId,
      sumAmounts(items.map(({ totalAmount }) => toAmount(totalAmount))),
    ]),
  )

/** The cost of each project. One that has a cost so far has an expected one, too. */
function projectsOf(soFar: Bill, expected: Bill): ActiveInvoice['projects'] {
  const costs = costsOf(soFar)
  return [...costsOf(expected)].map(([projectId, amount]) => ({
    projectId,
    amount: costs.get(projectId) ?? toAmount(new Big(0)),
    expected: amount,
  }))
}

/**
 * The first period before the current month whose invoice is not issued yet: during the minutes
 * after the month's end, and while issuing fails. A period without cost has no invoice.
 */
async function findPendingPeriod(
  ctx: UserContext,
  account: usage.Account | undefined,
  now: Date,
): Promise<ActiveInvoice['awaiting']> {
  let start = account?.billedUntil ?? now
  while (start < monthStart(now)) {
    const end = monthEnd(start)
    const { billOf } = await loadBilling(ctx.db, ctx.user.id, { start, end })
    if (billOf(end).amount.gt(0))
      return { createdAt: start.toISOString(), endsAt: end.toISOString() }
    start = end
  }
  return null
}

/**
 * The user's active invoice: the cost since the last invoice, and the expected cost at the end of
 * the month if the running projects keep running. Has the id under which it will be issued. Amounts
 * in US dollars.
 */
export async function active(ctx: UserContext): Promise<ActiveInvoice> {
  const now = ctx.clock.now()
  const account = await usage.findAccount(ctx.db, ctx.user.id)
  const period = currentPeriod(account, now)
  const { billOf, itemsOf } = await loadBilling(ctx.db, ctx.user.id, period)
  const [soFar, expected] = [billOf(now), billOf(period.end)]
  const items = itemsOf(soFar)
  return {
    id: invoiceIdOf(ctx.user.id, period.start),
    number: null,
    amount: toAmount(soFar.amount),
    createdAt: period.start.toISOString(),
    endsAt: period.end.toISOString(),
    issuedAt: null,
    paidAt: null,
    payment: null,
    overdue: false,
    items: items.map((item) => toItemResponse(item, null, ctx.locale)),
    usage: usageOf(items).map(({ names, runningHours, total }) => ({
      product: localizedName(names, ctx.locale),
      runningHours,
      totalAmount: toAmount(total),
    })),
    projects: projectsOf(soFar, expected),
    days: daysOf(period, soFar, expected),
    capDay: expected.capDay === null ? null : dateText(expected.capDay),
    expected: toAmount(expected.amount),
    taxRate: ctx.env.TAX_RATE,
    asOf: now.toISOString(),
    awaiting: await findPendingPeriod(ctx, account, now),
  }
}
