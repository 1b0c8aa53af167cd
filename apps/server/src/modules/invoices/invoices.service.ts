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
import { listForUser } from './invoices.list.store.ts'
import { overdueSince } from './invoices.policy.ts'
import { present, presentItem } from './invoices.present.ts'
import * as store from './invoices.store.ts'

/** Tells the invoice's user that it changed, when the transaction commits. */
export const announce = (tx: Tx, id: InvoiceId) =>
  events.publish(tx, { kind: 'Invoice', data: { type: 'Updated', invoiceId: id } })

/** Who may see the invoice. */
export async function readers(db: Db, id: InvoiceId): Promise<readonly UserId[]> {
  const userId = await store.findUserId(db, id)
  return userId ? [userId] : []
}

type List = typeof listInvoices

/** The order that a word of the contract names, such as `-amount`. */
const orderOf = (sort: NonNullable<InputOf<List>['query']['sort']>) => ({
  key: sort.replace('-', '') as InvoiceSortKey,
  descending: sort.startsWith('-'),
})

/**
 * A page of the user's issued invoices: those of a state, or all, in the order that is asked for, else
 * newest first; those without a value in it come last. A page past the end is empty.
 */
export async function all(
  ctx: UserContext,
  { page, perPage, state, sort, search }: InputOf<List>['query'],
): Promise<ResponseOf<List>> {
  const { rows, count } = await listForUser(
    ctx.db,
    ctx.user.id,
    { state, search, sort: sort && orderOf(sort), overdueSince: overdueSince(ctx.clock.now()) },
    { offset: (page - 1) * perPage, limit: perPage },
  )
  return {
    items: rows.map((invoice) => present(ctx, invoice)),
    currentPage: page,
    totalPages: Math.ceil(count / perPage),
    perPage,
  }
}

/** The user's issued invoices that are not paid, oldest first. */
export const unpaid = async (ctx: UserContext): Promise<Invoice[]> =>
  (await store.listUnpaidForUser(ctx.db, ctx.user.id)).map((invoice) => present(ctx, invoice))

/**
 * An issued invoice of the user with its items, the products in the language of the request; whom it is for,
 * and what its card was charged. Throws `invoice_not_found`, also for somebody else's.
 */
export async function view(
  ctx: UserContext,
  id: InvoiceId,
): Promise<ResponseOf<typeof viewInvoice>> {
  const invoice = await store.findForUser(ctx.db, ctx.user.id, id)
  if (!invoice) throw problem('invoice_not_found')
  const items = await store.listItems(ctx.db, id)
  return {
    ...present(ctx, invoice),
    items: items.map((item) => presentItem(item, invoice.issuedAt, ctx.locale)),
    billedTo: await billedTo(ctx, invoice),
    paidWith: invoice.paidWith,
    charge: invoice.charge,
  }
}

/** What a payment must know of an invoice; amounts are US dollars with five decimals. */
export type Payable = Pick<
  store.Invoice,
  'id' | 'amount' | 'paidAt' | 'paymentState' | 'paymentFailure'
>

/**
 * The user's issued invoices of these ids, locked in the order of their ids until the transaction ends.
 * Throws `invoice_not_found` unless every id is one of theirs.
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

/** A write that misses an invoice would leave a payment that nothing shows. */
async function announceChanged(tx: Tx, ids: readonly InvoiceId[], changed: readonly InvoiceId[]) {
  const missing = ids.filter((id) => !changed.includes(id))
  if (missing.length > 0)
    throw new Error(`not there, or paid already: invoices ${missing.join(', ')}`)
  for (const id of changed) await announce(tx, id)
}

/**
 * Notes on invoices, in the caller's transaction, that a payment of them is in progress, or why it failed;
 * their users hear of it. Rejects for one that is paid.
 */
export async function setPaymentState(
  tx: Tx,
  ids: readonly InvoiceId[],
  payment: { state: 'in_progress' } | { state: 'failed'; failure: PaymentFailure },
): Promise<void> {
  const failure = payment.state === 'failed' ? payment.failure : null
  await announceChanged(tx, ids, await store.setPayment(tx, ids, { state: payment.state, failure }))
}

/**
 * Notes on invoices, in the caller's transaction, that they are paid, with which card, what that was charged,
 * and whom the bill is for; their users hear of it. Rejects for one that is paid already.
 */
export async function markPaid(
  tx: Tx,
  ids: readonly InvoiceId[],
  paid: Parameters<typeof store.setPaid>[2],
): Promise<void> {
  await announceChanged(tx, ids, await store.setPaid(tx, ids, paid))
}
