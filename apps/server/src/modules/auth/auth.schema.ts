import type { UserId } from '@slipway/contract/account'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

export const emailTokenKinds = ['verify', 'reset'] as const
export type EmailTokenKind = (typeof emailTokenKinds)[number]

/** Emailed tokens. Each can be redeemed once, until it expires. */
export const emailTokens = pgTable(
  'mail_tokens',
  {
    tokenHash: bytes().primaryKey(),
    kind: text({ enum: emailTokenKinds }).notNull(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: time().notNull(),
    usedAt: time(),
    createdAt,
  },
  (table) => [
    index('mail_tokens_user').on(table.userId, table.kind),
    index('mail_tokens_expires').on(table.expiresAt),
  ],
)
