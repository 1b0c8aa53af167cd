import type { UserId } from '@slipway/contract/account'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import { toAmount } from '@slipway/contract/money'
import type { issueInvoices } from '@slipway/contract/products'
import type { Context, Tx, UserContext } from '../../../context.ts'
import { problem } from '../../../problem.ts'
import * as account from '../../account/account.service.ts'
import * as mail from '../../mail/mail.service.ts'
import { monthEnd, monthStart } from '../../usage/usage.policy.ts'
import * as usage from '../../usage/usage.service.ts'
import { loadBilling } from '../invoices.draft.ts'
import { invoiceIdOf } from '../invoices.ids.ts'
import { present } from '../invoices.present.ts'
import { announce } from '../invoices.service.ts'
import * as store from '../invoices.store.ts'
import { issuedEmail } from './issuing.emails.ts'

/** Issues what one customer owes. */
export const issueJob = 'invoices.issue'

type IssuingContext = Pick<Context, 'clock' | 'jobs' | 'env' | 'write'>

/** `month`: each month that has ended; `now`: what has run up in the current one as well. */
export type UpTo = 'month' | 'now'

async function customerOf(tx: Tx, userId: UserId) {
  const user = await account.find(tx, userId)
  if (!user) throw new Error(`usage of user ${userId}, who is not there`)
  const { name, email, locale } = user
  return { customer: { name, email }, locale: locale ?? 'en' }
}

async function mailCustomer(
  ctx: IssuingContext,
  tx: Tx,
  invoice: store.Invoice,
  { customer, locale }: Awaited<ReturnType<typeof customerOf>>,
) {
  await mail.send(ctx, tx, {
    key: `invoice-issued:${invoice.id}`,
    to: customer.email,
    ...issuedEmail({
      locale,
      name: customer.name,
      publicUrl: ctx.env.PUBLIC_URL,
      invoice,
    }),
  })
}

/**
 * Bills the next period of an account that is locked, up to `end`. Nothing is issued for nothing; the period
 * is billed all the same.
 */
async function issuePeriod(ctx: IssuingContext, tx: Tx, owing: usage.Account, end: Date) {
  const { userId, billedUntil: start } = owing
  await usage.setBilledUntil(tx, owing, end)
  const { billOf, itemsOf } = await loadBilling(tx, userId, { start, end })
  const bill = billOf(end)
  if (bill.amount.eq(0)) return undefined
  const issuedAt = ctx.clock.now()
  const billed = await customerOf(tx, userId)
  const invoice = await store.insert(
    tx,
    {
      id: invoiceIdOf(userId, start),
      userId,
      startsAt: start,
      endsAt: end,
      amount: toAmount(bill.amount),
      issuedAt,
      customer: billed.customer,
    },
    itemsOf(bill),
  )
  await mailCustomer(ctx, tx, invoice, billed)
  await announce(tx, invoice.id)
  return invoice
}

/** How far an account is to be billed next; undefined when it is billed far enough. */
function nextEnd({ billedUntil }: usage.Account, upTo: UpTo, now: Date) {
  const end = monthEnd(billedUntil)
  if (end <= now) return end
  return upTo === 'now' && billedUntil < now ? now : undefined
}

/**
 * Issues what a customer owes, month after month, each in a transaction of its own: one that fails keeps none
 * before it from being issued. Gives the invoices. However many do so at once, each period is billed once.
 */
export async function issue(
  ctx: IssuingContext,
  userId: UserId,
  upTo: UpTo,
): Promise<store.Invoice[]> {
  // Once: time goes on while invoices are issued, and there would always be some more of it to bill.
  const now = ctx.clock.now()
  const issued: store.Invoice[] = []
  for (;;) {
    const billed = await ctx.write(async (tx) => {
      const owing = await usage.lockAccount(tx, userId)
      const end = owing && nextEnd(owing, upTo, now)
      if (!end) return undefined
      const invoice = await issuePeriod(ctx, tx, owing, end)
      return { invoice, account: { ...owing, billedUntil: end } }
    })
    if (billed?.invoice) issued.push(billed.invoice)
    if (!billed || !nextEnd(billed.account, upTo, now)) return issued
  }
}

/** Accounts that one transaction sends jobs for. */
const sentAtOnce = 500

/**
 * Has everybody's invoices issued, by a job for each customer: one whose job fails stops nobody else's.
 * Gives how many have something to be billed.
 */
export async function issueAll(
  ctx: Pick<Context, 'clock' | 'db' | 'jobs' | 'write'>,
  upTo: UpTo,
): Promise<number> {
  const now = ctx.clock.now()
  const before = upTo === 'now' ? now : monthStart(now)
  let count = 0
  for (let last: usage.Account | undefined; ; ) {
    const page = await usage.listBilledBefore(ctx.db, before, last, sentAtOnce)
    if (page.length === 0) return count
    await ctx.write(async (tx) => {
      for (const { userId } of page)
        await ctx.jobs.send(tx, issueJob, { userId, upTo }, { singletonKey: `${userId} ${upTo}` })
    })
    count += page.length
    last = page.at(-1)
  }
}

/**
 * Issues now what has run up, for an operator: for one user at once, for all in the background. Throws
 * `item_not_found` for an unknown user.
 */
export async function issueNow(
  ctx: UserContext,
  { userId }: InputOf<typeof issueInvoices>['body'],
): Promise<ResponseOf<typeof issueInvoices>> {
  if (userId === undefined) return { invoices: [], queued: await issueAll(ctx, 'now') }
  if (!(await account.find(ctx.db, userId))) throw problem('item_not_found')
  const issued = await issue(ctx, userId, 'now')
  return { invoices: issued.map((invoice) => present(ctx, invoice)), queued: 0 }
}
