import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { JWK } from 'jose'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import type { SessionId } from '../sessions/sessions.schema.ts'

const projectId = () =>
  uuid()
    .$type<ProjectId>()
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })
const userId = () =>
  uuid()
    .$type<UserId>()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Authorization codes. Each can be redeemed once, by its client and with its redirect URI. */
export const authorizationCodes = pgTable(
  'authorization_codes',
  {
    codeHash: bytes().primaryKey(),
    projectId: projectId(),
    userId: userId(),
    /** The session that requested the code; null for one that an older server issued. */
    sessionId: uuid().$type<SessionId>(),
    redirectUri: text().notNull(),
    scope: text().notNull(),
    nonce: text(),
    codeChallenge: text(),
    createdAt,
    expiresAt: time().notNull(),
    usedAt: time(),
  },
  (table) => [index('authorization_codes_expires').on(table.expiresAt)],
)

/** Tokens for the userinfo endpoint. A second use of their code revokes them. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    tokenHash: bytes().primaryKey(),
    codeHash: bytes()
      .notNull()
      .references(() => authorizationCodes.codeHash, { onDelete: 'cascade' }),
    projectId: projectId(),
    userId: userId(),
    scope: text().notNull(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [
    index('access_tokens_code').on(table.codeHash),
    index('access_tokens_expires').on(table.expiresAt),
  ],
)

/** Keys for ID tokens. All are published; their age decides which one signs. */
export const signingKeys = pgTable('signing_keys', {
  kid: text().primaryKey(),
  sealedPrivateKey: text(),
  /** The key as an older version stored it; null once it is sealed. */
  privateKey: jsonb().$type<JWK>(),
  createdAt,
})
