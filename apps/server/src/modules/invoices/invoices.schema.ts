import type { UserId } from '@slipway/contract/account'
import {
  type Charge,
  type InvoiceId,
  type InvoiceItemId,
  paymentFailures,
  paymentStates,
} from '@slipway/contract/invoices'
import type { Amount } from '@slipway/contract/money'
import type { BillingFields, PaymentMethod } from '@slipway/contract/payment-methods'
import type { ProjectId } from '@slipway/contract/projects'
import type { LocalizedName } from '@slipway/phrases'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'

/** Whose invoice it is, as they were called then. */
export type Customer = { name: string; email: string }

/** Issued invoices; what is still running up is computed when it is read, and stored nowhere. */
export const invoices = pgTable(
  'invoices',
  {
    id: uuid().$type<InvoiceId>().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** What it is for: from here to `endsAt`, exclusive. */
    startsAt: time().notNull(),
    endsAt: time().notNull(),
    amount: amount().$type<Amount>().notNull(),
    issuedAt: time().notNull(),
    paidAt: time(),
    /** What became of the last attempt to pay it; null when there was none. */
    paymentState: text({ enum: paymentStates }),
    paymentFailure: text({ enum: paymentFailures }),
    /** The card it was paid with, and whom the bill is for, as they were then. */
    paidWith: jsonb().$type<Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'>>(),
    billedTo: jsonb().$type<BillingFields>(),
    /** What that card was charged, for this invoice and those that were paid with it. */
    charge: jsonb().$type<Charge>(),
    /** Who had the account at the issue; null for those that were issued before it was kept. */
    customer: jsonb().$type<Customer>(),
  },
  (table) => [
    check('invoices_period', sql`${table.endsAt} > ${table.startsAt}`),
    check('invoices_not_for_nothing', sql`${table.amount} > 0`),
    check(
      'invoices_paid',
      sql`(${table.paidAt} is not null) = (${table.paymentState} is not distinct from 'succeeded')`,
    ),
    // A user is billed once for a period, however many issue it.
    unique('invoices_period_once').on(table.userId, table.startsAt),
    index('invoices_user').on(table.userId, table.issuedAt, table.id),
    index('invoices_unpaid').on(table.userId, table.issuedAt).where(sql`${table.paidAt} is null`),
  ],
)

export const invoiceItems = pgTable(
  'invoice_items',
  {
    id: uuid().$type<InvoiceItemId>().primaryKey(),
    invoiceId: uuid()
      .$type<InvoiceId>()
      .notNull()
      .references(() => invoices.id),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id),
    /** As they were at the issue: an invoice does not change when a project is renamed. */
    projectKey: text().notNull(),
    projectName: text().notNull(),
    productId: text().notNull(),
    productNames: jsonb().$type<LocalizedName>().notNull(),
    price: amount().$type<Amount>().notNull(),
    discount: amount().$type<Amount>(),
    runningHours: integer().notNull(),
    amount: amount().$type<Amount>().notNull(),
    discountAmount: amount().$type<Amount>().notNull(),
    totalAmount: amount().$type<Amount>().notNull(),
    /** When the first of its hours began. */
    startsAt: time().notNull(),
    createdAt,
  },
  (table) => [
    check('invoice_items_hours', sql`${table.runningHours} between 1 and 672`),
    check('invoice_items_amount', sql`${table.amount} = ${table.price} * ${table.runningHours}`),
    check(
      'invoice_items_total',
      sql`${table.totalAmount} = ${table.amount} - ${table.discountAmount}`,
    ),
    unique('invoice_items_once').on(
      table.invoiceId,
      table.projectId,
      table.productId,
      table.startsAt,
    ),
  ],
)
