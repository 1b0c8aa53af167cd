import type { UserId } from '@slipway/contract/account'
import type { Amount } from '@slipway/contract/amount'
import {
  type InvoiceId,
  type PaymentId,
  paymentFailures,
  paymentStates,
} from '@slipway/contract/invoices'
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

/**
 * Payments: attempts to charge a card. Stored before the gateway is called; the id is the
 * idempotency key.
 */
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
    /** The payment gateway of the charge; no other one knows it. */
    gateway: text().notNull(),
    /** The card and its billing details when the payment began. */
    paidWith: jsonb().$type<Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'>>().notNull(),
    billedTo: jsonb().$type<BillingFields>().notNull(),
    amount: amount().$type<Amount>().notNull(),
    /** The amount charged, rounded to the cent. */
    chargedAmount: numeric({ precision: 20, scale: 2 }).notNull(),
    state: text({ enum: paymentStates }).notNull(),
    failure: text({ enum: paymentFailures }),
    /** The gateway's id of the charge; null until the charge is confirmed. */
    chargeId: text(),
    /** The language of the payer's console, for the receipt. */
    locale: text({ enum: locales }).notNull(),
    /** The time of the next status check; null when the outcome is final. */
    nextCheckAt: time('ask_at'),
    checkCount: integer('asked').notNull().default(0),
    createdAt,
    updatedAt,
    settledAt: time(),
    /** When a charge without payable invoices was found. An operator has to refund it. */
    refundDueAt: time(),
    refundedAt: time(),
  },
  (table) => [
    check('payments_settled', sql`(${table.state} = 'in_progress') = (${table.settledAt} is null)`),
    check('payments_failure', sql`(${table.state} = 'failed') = (${table.failure} is not null)`),
    check(
      'payments_asked',
      sql`${table.state} <> 'in_progress' or ${table.nextCheckAt} is not null`,
    ),
    check(
      'payments_refund',
      sql`(${table.state} = 'failed' and ${table.chargeId} is not null) = (${table.refundDueAt} is not null)`,
    ),
    check(
      'payments_refunded',
      sql`${table.refundedAt} is null or ${table.refundDueAt} is not null`,
    ),
    index('payments_to_ask')
      .on(table.nextCheckAt, table.id)
      .where(sql`${table.nextCheckAt} is not null`),
    index('payments_refund_due')
      .on(table.refundDueAt, table.id)
      .where(sql`${table.refundDueAt} is not null and ${table.refundedAt} is null`),
    index('payments_user').on(table.userId, table.createdAt, table.id),
  ],
)

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
    /** True while the payment is in progress and after it has succeeded. */
    live: boolean().notNull(),
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.invoiceId] }),
    // An invoice has at most one live payment, so a second charge cannot begin.
    uniqueIndex('payment_invoices_live').on(table.invoiceId).where(sql`${table.live}`),
    index('payment_invoices_invoice').on(table.invoiceId, table.createdAt),
  ],
)
