import type { UserId } from '@slipway/contract/account'
import type { Amount } from '@slipway/contract/amount'
import {
  type Charge,
  type InvoiceId,
  type InvoiceItemId,
  type InvoiceRunId,
  paymentFailures,
  paymentStates,
  type Seller,
} from '@slipway/contract/invoices'
import type { BillingFields, PaymentMethod } from '@slipway/contract/payment-methods'
import type { ProjectId } from '@slipway/contract/projects'
import type { LocalizedName } from '@slipway/phrases'
import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'

/** The customer's name and email when the invoice was issued. */
export type Customer = { name: string; email: string }

/** Issued invoices. The active invoice is computed when it is read, and not stored. */
export const invoices = pgTable(
  'invoices',
  {
    id: uuid().$type<InvoiceId>().primaryKey(),
    /** Null until `takeNumber` for an invoice that an older server issued. */
    number: text(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** The start of the billing period; `endsAt` is exclusive. */
    startsAt: time().notNull(),
    endsAt: time().notNull(),
    /** The amount due, tax included. */
    amount: amount().$type<Amount>().notNull(),
    /** The tax rate in percent, and the tax. */
    taxRate: text().notNull().default('0'),
    taxAmount: amount()
      .$type<Amount>()
      .notNull()
      .default('0' as Amount),
    issuedAt: time().notNull(),
    paidAt: time(),
    /** The state of the last payment; null when there was none. */
    paymentState: text({ enum: paymentStates }),
    paymentFailure: text({ enum: paymentFailures }),
    /** The card and its billing details at the time of the payment. */
    paidWith: jsonb().$type<Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'>>(),
    billedTo: jsonb().$type<BillingFields>(),
    /** The charge, which may cover several invoices. */
    charge: jsonb().$type<Charge>(),
    /** Null for invoices issued before the column existed. */
    customer: jsonb().$type<Customer>(),
    /** Who issued it. Null for invoices issued before the column existed. */
    seller: jsonb().$type<Seller>(),
  },
  (table) => [
    check('invoices_period', sql`${table.endsAt} > ${table.startsAt}`),
    check('invoices_not_for_nothing', sql`${table.amount} > 0`),
    check(
      'invoices_paid',
      sql`(${table.paidAt} is not null) = (${table.paymentState} is not distinct from 'succeeded')`,
    ),
    unique('invoices_number').on(table.number),
    index('invoices_unnumbered').on(table.issuedAt, table.id).where(sql`${table.number} is null`),
    // A period is billed once, also when two workers issue it at the same time.
    unique('invoices_period_once').on(table.userId, table.startsAt),
    index('invoices_user').on(table.userId, table.issuedAt, table.id),
    index('invoices_unpaid').on(table.userId, table.issuedAt).where(sql`${table.paidAt} is null`),
  ],
)

/** The last number of each year. Its row is locked until the invoice that takes it is stored. */
export const invoiceNumbers = pgTable('invoice_numbers', {
  year: integer().primaryKey(),
  last: integer().notNull(),
})

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
    /** The names when the invoice was issued: a later rename does not change it. */
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
    /** The start of its first hour. */
    startsAt: time().notNull(),
    createdAt,
  },
  (table) => [
    // `limits.billedHoursPerMonth`
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

/** An operator's order to issue the invoices of all customers. */
export const invoiceRuns = pgTable(
  'invoice_runs',
  {
    id: uuid().$type<InvoiceRunId>().primaryKey(),
    /** When all of its customers were listed; null before. */
    listedAt: time(),
    createdAt,
  },
  (table) => [index('invoice_runs_created').on(table.createdAt, table.id)],
)

/** The customers of a run; each one has a job. */
export const invoiceRunCustomers = pgTable(
  'invoice_run_customers',
  {
    runId: uuid()
      .$type<InvoiceRunId>()
      .notNull()
      .references(() => invoiceRuns.id, { onDelete: 'cascade' }),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text({ enum: ['waiting', 'done', 'failed'] }).notNull(),
    /** Why the last attempt failed. */
    reason: text(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.userId] }),
    index('invoice_run_customers_state').on(table.runId, table.state, table.userId),
    // For the removal of an account.
    index('invoice_run_customers_user').on(table.userId),
  ],
)
