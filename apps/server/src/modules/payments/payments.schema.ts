import type { UserId } from '@slipway/contract/account'
import {
  type InvoiceId,
  type PaymentId,
  paymentFailures,
  paymentStates,
} from '@slipway/contract/invoices'
import type { Amount } from '@slipway/contract/money'
import type {
  BillingFields,
  PaymentMethod,
  PaymentMethodId,
} from '@slipway/contract/payment-methods'
import { locales } from '@slipway/phrases'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { invoices } from '../invoices/invoices.schema.ts'
import { paymentMethods } from '../payment-methods/payment-methods.schema.ts'

/** Attempts to charge a card. The row is stored before the gateway is called, and its id is the call's key. */
export const payments = pgTable(
  'payments',
  {
    id: uuid().$type<PaymentId>().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    paymentMethodId: uuid()
      .$type<PaymentMethodId>()
      .notNull()
      .references(() => paymentMethods.id),
    /** Which gateway was to charge it; another one knows nothing of it. */
    gateway: text().notNull(),
    /** The card, and whom the bill is for, as they were when it began. */
    paidWith: jsonb().$type<Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'>>().notNull(),
    billedTo: jsonb().$type<BillingFields>().notNull(),
    amount: amount().$type<Amount>().notNull(),
    /** What the card is charged: cents. */
    chargedAmount: numeric({ precision: 20, scale: 2 }).notNull(),
    state: text({ enum: paymentStates }).notNull(),
    failure: text({ enum: paymentFailures }),
    /** What the gateway knows the charge by, once it said that it made it. */
    chargeId: text(),
    /** In which language whoever paid used the console, for the receipt. */
    locale: text({ enum: locales }).notNull(),
    /** When the gateway is asked next what became of it, and how often it was; null when that is known. */
    askAt: time(),
    asked: integer().notNull().default(0),
    createdAt,
    updatedAt,
    settledAt: time(),
    /** Since when it is known that a card was charged for nothing: an operator has to give it back. */
    refundDueAt: time(),
    /** When an operator noted that they have. */
    refundedAt: time(),
  },
  (table) => [
    check('payments_settled', sql`(${table.state} = 'in_progress') = (${table.settledAt} is null)`),
    check('payments_failure', sql`(${table.state} = 'failed') = (${table.failure} is not null)`),
    check('payments_asked', sql`${table.state} <> 'in_progress' or ${table.askAt} is not null`),
    check(
      'payments_refund',
      sql`(${table.state} = 'failed' and ${table.chargeId} is not null) = (${table.refundDueAt} is not null)`,
    ),
    check(
      'payments_refunded',
      sql`${table.refundedAt} is null or ${table.refundDueAt} is not null`,
    ),
    index('payments_to_ask').on(table.askAt, table.id).where(sql`${table.askAt} is not null`),
    index('payments_refund_due')
      .on(table.refundDueAt, table.id)
      .where(sql`${table.refundDueAt} is not null and ${table.refundedAt} is null`),
    index('payments_user').on(table.userId, table.createdAt, table.id),
  ],
)

/** Which invoices a payment is for. */
export const paymentInvoices = pgTable(
  'payment_invoices',
  {
    paymentId: uuid()
      .$type<PaymentId>()
      .notNull()
      .references(() => payments.id),
    invoiceId: uuid()
      .$type<InvoiceId>()
      .notNull()
      .references(() => invoices.id),
    /** True while the payment is in progress, and for good when it succeeded. */
    live: boolean().notNull(),
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.invoiceId] }),
    // An invoice is in one payment that charges it or may have: a second charge cannot even begin.
    uniqueIndex('payment_invoices_live').on(table.invoiceId).where(sql`${table.live}`),
    index('payment_invoices_invoice').on(table.invoiceId, table.createdAt),
  ],
)
