import type { UserId } from '@slipway/contract/account'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type {
  Invoice,
  InvoiceId,
  InvoiceSortKey,
  listInvoices,
  PaymentFailure,
  viewInvoice,
} from '@slipway/contract/invoices'
import type { Db, Tx, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as events from '../events/events.service.ts'
import { billedTo } from './invoices.billed-to.ts'
import type { EmailedInvoice } from './invoices.email-parts.ts'
import { listForUser } from './invoices.list.store.ts'
import { dueAt, overdueIfIssuedBefore } from './invoices.policy.ts'
import { toItemResponse, toResponse } from './invoices.present.ts'
import * as store from './invoices.store.ts'
import { currentSeller } from './invoices.tax.ts'

export {
  type EmailedInvoice,
  invoiceFacts,
  invoiceName,
  invoiceRows,
  payAction,
} from './invoices.email-parts.ts'
export { currentSeller } from './invoices.tax.ts'

/** Publishes that the invoice changed, to its user, when the transaction commits. */
export const publishChange = (tx: Tx, id: InvoiceId) =>
  events.publish(tx, { kind: 'Invoice', data: { type: 'Updated', invoiceId: id } })

/** The users who receive events of the invoice: its user. */
export async function eventRecipients(db: Db, id: InvoiceId): Promise<readonly UserId[]> {
  const userId = await store.findUserId(db, id)
  return userId ? [userId] : []
}

type List = typeof listInvoices

/** Parses the contract's sort key, such as `-amount`. */
const orderOf = (sort: NonNullable<InputOf<List>['query']['sort']>) => ({
  key: sort.replace('-', '') as InvoiceSortKey,
  descending: sort.startsWith('-'),
})

/**
 * A page of the user's issued invoices, filtered by state and part of the number or id, in the
 * requested order or newest first; missing values come last. A page past the end is empty.
 */
export async function list(
  ctx: UserContext,
  { page, perPage, state, sort, search }: InputOf<List>['query'],
): Promise<ResponseOf<List>> {
  const { rows, count } = await listForUser(
    ctx.db,
    ctx.user.id,
    {
      state,
      search,
      sort: sort && orderOf(sort),
      overdueIfIssuedBefore: overdueIfIssuedBefore(ctx.clock.now()),
    },
    { offset: (page - 1) * perPage, limit: perPage },
  )
  return {
    items: rows.map((invoice) => toResponse(ctx, invoice)),
    currentPage: page,
    totalPages: Math.ceil(count / perPage),
    perPage,
  }
}

/** The user's unpaid invoices, for an email, oldest first. */
export const listUnpaid = (db: Db, userId: UserId): Promise<EmailedInvoice[]> =>
  store.listUnpaidForUser(db, userId)

/** The user's unpaid invoices, oldest first. */
export const unpaid = async (ctx: UserContext): Promise<Invoice[]> =>
  (await store.listUnpaidForUser(ctx.db, ctx.user.id)).map((invoice) => toResponse(ctx, invoice))

/**
 * An issued invoice of the user with its items (product names in the request's language), recipient
 * and charge. Throws `invoice_not_found`, also for another user's invoice.
 */
export async function view(
  ctx: UserContext,
  id: InvoiceId,
): Promise<ResponseOf<typeof viewInvoice>> {
  const invoice = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!invoice) throw problem('invoice_not_found')
  const items = await store.listItems(ctx.db, id)
  return {
    ...toResponse(ctx, invoice),
    items: items.map((item) => toItemResponse(item, invoice.issuedAt, ctx.locale)),
    dueAt: dueAt(invoice.issuedAt).toISOString(),
    billedTo: await billedTo(ctx, invoice),
    seller: invoice.seller ?? currentSeller(ctx),
    tax: { rate: invoice.taxRate, amount: invoice.taxAmount },
    paidWith: invoice.paidWith,
    charge: invoice.charge,
  }
}

/** The part of an invoice that payments read; amounts in US dollars with five decimals. */
export type Payable = Pick<
  store.Invoice,
  'id' | 'amount' | 'paidAt' | 'paymentState' | 'paymentFailure'
>

/**
 * Locks the user's issued invoices in the order of their ids, until the transaction ends. Throws
 * `invoice_not_found` unless every id is one of the user's.
 */
export async function lockForPayment(
  tx: Tx,
  userId: UserId,
  ids: readonly InvoiceId[],
): Promise<Payable[]> {
  const uniqueIds = new Set(ids)
  const locked = await store.lockForUser(tx, userId, [...uniqueIds])
  if (locked.length !== uniqueIds.size) throw problem('invoice_not_found')
  return locked.map(({ id, amount, paidAt, paymentState, paymentFailure }) => ({
    id,
    amount,
    paidAt,
    paymentState,
    paymentFailure,
  }))
}

/** Publishes an event per changed invoice. Throws if one was not changed. */
async function publishChanges(tx: Tx, ids: readonly InvoiceId[], changed: readonly InvoiceId[]) {
  const missing = ids.filter((id) => !changed.includes(id))
  if (missing.length > 0) throw new Error(`missing or already paid: invoices ${missing.join(', ')}`)
  for (const id of changed) await publishChange(tx, id)
}

/**
 * Stores on invoices that their payment is in progress or failed, and publishes their events, in
 * `tx`. Rejects if one is paid.
 */
export async function setPaymentState(
  tx: Tx,
  ids: readonly InvoiceId[],
  payment: { state: 'in_progress' } | { state: 'failed'; failure: PaymentFailure },
): Promise<void> {
  const failure = payment.state === 'failed' ? payment.failure : null
  await publishChanges(tx, ids, await store.setPayment(tx, ids, { state: payment.state, failure }))
}

/**
 * Marks invoices as paid, with card, billing details and charge, and publishes their events, in
 * `tx`. Rejects if one is already paid.
 */
export async function markPaid(
  tx: Tx,
  ids: readonly InvoiceId[],
  paid: Parameters<typeof store.setPaid>[2],
): Promise<void> {
  await publishChanges(tx, ids, await store.setPaid(tx, ids, paid))
}
