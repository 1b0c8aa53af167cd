import type { EmailId } from '@slipway/contract/emails'
import type { ProjectId } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time, updatedAt } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

export const mailStates = ['queued', 'sent', 'kept', 'failed'] as const

/** The outbox: one row per email, with its delivery state. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().$type<EmailId>().primaryKey(),
    /** Idempotency key: one email per key. */
    key: text().notNull().unique('mails_key'),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Null once sent over SMTP: its links contain secrets. */
    text: text(),
    html: text(),
    /** The project whose site sent it; null for an email of the service. */
    projectId: uuid()
      .$type<ProjectId>()
      .references(() => projects.id),
    /** An email of a site as it is sent (RFC 5322), without `text` and `html`. Null once sent. */
    raw: bytes(),
    /** `kept`: not sent, because there is no SMTP server; shown in the mailbox. */
    state: text({ enum: mailStates }).notNull(),
    attempts: integer().notNull().default(0),
    lastError: text(),
    /**
     * No attempt starts before this time: the next retry, or the end of an attempt that may still
     * run.
     */
    nextAttemptAt: time(),
    createdAt,
    updatedAt,
    sentAt: time(),
  },
  (table) => [
    // The emails of a site today.
    index('mails_project')
      .on(table.projectId, table.createdAt)
      .where(sql`${table.projectId} is not null`),
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
