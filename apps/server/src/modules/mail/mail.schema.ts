import type { MailId } from '@slipway/contract/emails'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'

export const mailStates = ['queued', 'sent', 'kept', 'failed'] as const

/** The outbox: one row per email, with its delivery state. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().$type<MailId>().primaryKey(),
    /** Idempotency key: one email per key. */
    key: text().notNull().unique('mails_key'),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Null once sent over SMTP: its links contain secrets. */
    text: text(),
    html: text(),
    /** `kept`: not sent, because there is no SMTP server; shown in the mailbox. */
    state: text({ enum: mailStates }).notNull(),
    attempts: integer().notNull().default(0),
    lastError: text(),
    /** No attempt starts before it: the next retry, or the end of an attempt that may still run. */
    nextAttemptAt: time(),
    createdAt,
    updatedAt,
    sentAt: time(),
  },
  (table) => [
    index('mails_created').on(table.createdAt, table.id),
    // Almost all emails are sent: partial indexes stay small.
    index('mails_unsent')
      .on(table.state, table.createdAt, table.id)
      .where(sql`${table.state} in ('queued', 'failed')`),
    index('mails_queue')
      .on(table.recipient, table.createdAt, table.id)
      .where(sql`${table.state} = 'queued'`),
  ],
)
