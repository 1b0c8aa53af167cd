import type { Id } from '@slipway/contract/id'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'

export type MailId = Id<'Mail'>

export const mailStates = ['queued', 'sent', 'kept', 'failed'] as const

/** The outbox: a mail is a row before it is sent, and the row says what became of it. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().$type<MailId>().primaryKey(),
    /** What the mail is about, once: the same key never mails twice. */
    key: text().notNull().unique('mails_key'),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Null once it was sent over SMTP: links in it are secrets that need not stay here. */
    text: text(),
    html: text(),
    /** `kept`: there is no SMTP server, the mail waits in the mailbox page. */
    state: text({ enum: mailStates }).notNull(),
    attempts: integer().notNull().default(0),
    lastError: text(),
    createdAt,
    updatedAt,
    sentAt: time(),
  },
  (table) => [index('mails_created').on(table.createdAt), index('mails_state').on(table.state)],
)
