import type { Context, Tx } from '../../../context.ts'
import * as account from '../../account/account.service.ts'
import * as mail from '../../mail/mail.service.ts'
import * as store from '../payments.store.ts'
import { failureEmail, lateChargeEmail, receiptEmail } from './settlement.emails.ts'

type MailingContext = Pick<Context, 'clock' | 'jobs' | 'env'>

/** Whom to write to, and what about. */
async function findRecipient(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const user = await account.find(tx, payment.userId)
  if (!user) throw new Error(`payment ${payment.id} has no user`)
  const invoices = await store.listInvoices(tx, payment.id)
  const about = { payment, invoices, name: user.name, publicUrl: ctx.env.PUBLIC_URL }
  return { to: user.email, about }
}

/** Mails what was paid, once for each payment. */
export async function mailReceipt(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const { to, about } = await findRecipient(ctx, tx, payment)
  await mail.send(ctx, tx, { key: `payment-receipt:${payment.id}`, to, ...receiptEmail(about) })
}

/** Mails that a payment failed, once, when nobody waited for the answer that would have said so. */
export async function mailFailure(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const { to, about } = await findRecipient(ctx, tx, payment)
  await mail.send(ctx, tx, { key: `payment-failed:${payment.id}`, to, ...failureEmail(about) })
}

/** Mails that a card was charged too late, and that the amount will be given back; once for each payment. */
export async function mailLateCharge(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const { to, about } = await findRecipient(ctx, tx, payment)
  await mail.send(ctx, tx, { key: `payment-late:${payment.id}`, to, ...lateChargeEmail(about) })
}
