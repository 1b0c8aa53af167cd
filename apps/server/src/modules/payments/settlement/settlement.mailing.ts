import type { Context, Tx } from '../../../context.ts'
import * as account from '../../account/account.service.ts'
import { currentSeller } from '../../invoices/invoices.service.ts'
import * as mail from '../../mail/mail.service.ts'
import * as store from '../payments.store.ts'
import { failureEmail, lateChargeEmail, receiptEmail } from './settlement.emails.ts'

type MailingContext = Pick<Context, 'clock' | 'jobs' | 'env'>

/** The recipient of an email about a payment, and the data for its content. */
async function findRecipient(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const user = await account.find(tx, payment.userId)
  if (!user) throw new Error(`payment ${payment.id} has no user`)
  const invoices = await store.listInvoices(tx, payment.id)
  const content = {
    payment,
    invoices,
    seller: invoices.at(-1)?.seller ?? currentSeller(ctx),
    name: user.name,
    publicUrl: ctx.env.PUBLIC_URL,
  }
  return { to: user.email, content }
}

/** Mails the receipt, once per payment. */
export async function mailReceipt(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const { to, content } = await findRecipient(ctx, tx, payment)
  await mail.send(ctx, tx, { key: `payment-receipt:${payment.id}`, to, ...receiptEmail(content) })
}

/** Mails a failure, once per payment, when no client is waiting for the response. */
export async function mailFailure(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const { to, content } = await findRecipient(ctx, tx, payment)
  await mail.send(ctx, tx, { key: `payment-failed:${payment.id}`, to, ...failureEmail(content) })
}

/** Mails that a late charge will be refunded, once per payment. */
export async function mailLateCharge(ctx: MailingContext, tx: Tx, payment: store.Payment) {
  const { to, content } = await findRecipient(ctx, tx, payment)
  await mail.send(ctx, tx, { key: `payment-late:${payment.id}`, to, ...lateChargeEmail(content) })
}
