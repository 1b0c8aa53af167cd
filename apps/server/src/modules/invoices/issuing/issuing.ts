import type { UserId } from '@slipway/contract/account'
import type { Context, Db, Tx } from '../../../context.ts'
import * as account from '../../account/account.service.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as mail from '../../mail/mail.service.ts'
import { monthEnd, monthStart } from '../../usage/usage.policy.ts'
import * as usage from '../../usage/usage.service.ts'
import { loadBilling } from '../invoices.draft.ts'
import { invoiceIdOf } from '../invoices.ids.ts'
import { publishChange } from '../invoices.service.ts'
import * as store from '../invoices.store.ts'
import { currentSeller, withTax } from '../invoices.tax.ts'
import { issuedEmail } from './issuing.emails.ts'

export const issueJob = 'invoices.issue'

type IssuingContext = Pick<Context, 'clock' | 'jobs' | 'env' | 'write'>

/** `month`: up to the end of the last month; `now`: the current month's cost as well. */
export type UpTo = 'month' | 'now'

async function customerOf(tx: Tx, userId: UserId) {
  const user = await account.find(tx, userId)
  if (!user) throw new Error(`user ${userId} has usage but no account`)
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
      publicUrl: ctx.env.PUBLIC_URL,
      invoice,
    }),
  })
}

/**
 * Bills the next period of a locked account, up to `end`. A period without cost advances the
 * account but issues no invoice.
 */
async function issuePeriod(ctx: IssuingContext, tx: Tx, billingAccount: usage.Account, end: Date) {
  const { userId, billedUntil: start } = billingAccount
  await usage.setBilledUntil(tx, billingAccount, end)
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
      ...withTax(ctx, bill.amount),
      number: await store.takeNumber(tx, issuedAt),
      issuedAt,
      customer: billed.customer,
      seller: currentSeller(ctx),
    },
    itemsOf(bill),
  )
  await mailCustomer(ctx, tx, invoice, billed)
  await recordActivity(ctx, tx, {
    kind: 'invoice_issued',
    concerns: { accountId: userId },
    subject: invoice.id,
    after: invoice.amount,
    actor: 'service',
  })
  await publishChange(tx, invoice.id)
  return invoice
}

/** The end of an account's next period; undefined when nothing is due. */
function nextEnd({ billedUntil }: usage.Account, upTo: UpTo, now: Date) {
  const end = monthEnd(billedUntil)
  if (end <= now) return end
  return upTo === 'now' && billedUntil < now ? now : undefined
}

/**
 * Issues a customer's due invoices, month by month, each in its own transaction; returns them. A
 * failure does not undo earlier months. Concurrent calls bill each period once.
 */
export async function issue(
  ctx: IssuingContext,
  userId: UserId,
  upTo: UpTo,
): Promise<store.Invoice[]> {
  // Read once: with a later time on each round there would always be more to bill.
  const now = ctx.clock.now()
  const issued: store.Invoice[] = []
  for (;;) {
    const result = await ctx.write(async (tx) => {
      const billingAccount = await usage.lockAccount(tx, userId)
      const end = billingAccount && nextEnd(billingAccount, upTo, now)
      if (!end) return undefined
      const invoice = await issuePeriod(ctx, tx, billingAccount, end)
      return { invoice, billingAccount: { ...billingAccount, billedUntil: end } }
    })
    if (result?.invoice) issued.push(result.invoice)
    if (!result || !nextEnd(result.billingAccount, upTo, now)) return issued
  }
}

/** The number of accounts whose jobs are sent in one transaction. */
const batchSize = 500

/** The accounts billed up to a time before `before`, in pages. */
export async function* listDue(db: Db, before: Date): AsyncGenerator<readonly usage.Account[]> {
  for (let last: usage.Account | undefined; ; ) {
    const page = await usage.listBilledBefore(db, before, last, batchSize)
    if (page.length === 0) return
    yield page
    last = page.at(-1)
  }
}

/**
 * Enqueues one issuing job per customer with an ended month, so that failures stay isolated.
 * Returns the number of customers.
 */
export async function issueDue(
  ctx: Pick<Context, 'clock' | 'db' | 'jobs' | 'write'>,
): Promise<number> {
  let count = 0
  for await (const page of listDue(ctx.db, monthStart(ctx.clock.now()))) {
    await ctx.write(async (tx) => {
      for (const { userId } of page)
        await ctx.jobs.send(tx, issueJob, { userId }, { singletonKey: `${userId} month` })
    })
    count += page.length
  }
  return count
}
