import type { UserId } from '@slipway/contract/account'
import type { Id } from '@slipway/contract/id'
import type { ProjectId } from '@slipway/contract/projects'
import type { SignInClientId } from '@slipway/contract/sign-in-clients'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { JWK } from 'jose'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import type { SessionId } from '../sessions/sessions.schema.ts'
import { signInClients } from '../sign-in-clients/sign-in-clients.schema.ts'

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

/** The customers' own client; null for the one that every project has. */
const clientId = () =>
  uuid()
    .$type<SignInClientId>()
    .references(() => signInClients.id, { onDelete: 'cascade' })

/** Authorization codes. Each can be redeemed once, by its client and with its redirect URI. */
export const authorizationCodes = pgTable(
  'authorization_codes',
  {
    codeHash: bytes().primaryKey(),
    projectId: projectId(),
    userId: userId(),
    /** The session that requested the code; null for one that an older server issued. */
    sessionId: uuid().$type<SessionId>(),
    clientId: clientId(),
    /** When the user logged in; null for a code that an older server issued. */
    authTime: time(),
    redirectUri: text().notNull(),
    scope: text().notNull(),
    nonce: text(),
    codeChallenge: text(),
    createdAt,
    expiresAt: time().notNull(),
    usedAt: time(),
  },
  (table) => [
    index('authorization_codes_expires').on(table.expiresAt),
    index('authorization_codes_client').on(table.clientId),
  ],
)

export type OfflineGrantId = Id<'OfflineGrant'>

/** Grants of users to clients that outlast the hour of an access token (`offline_access`). */
export const offlineGrants = pgTable(
  'offline_grants',
  {
    id: uuid().$type<OfflineGrantId>().primaryKey(),
    projectId: projectId(),
    clientId: clientId(),
    userId: userId(),
    /** The code it was issued for; redeeming that code twice revokes the grant. */
    codeHash: bytes().notNull(),
    scope: text().notNull(),
    authTime: time().notNull(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [
    index('offline_grants_code').on(table.codeHash),
    index('offline_grants_user').on(table.userId),
    index('offline_grants_client').on(table.clientId),
    index('offline_grants_project').on(table.projectId),
    index('offline_grants_expires').on(table.expiresAt),
  ],
)

/** Each refresh token works once. A used one stays until it expires, to notice a second use. */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    tokenHash: bytes().primaryKey(),
    grantId: uuid()
      .$type<OfflineGrantId>()
      .notNull()
      .references(() => offlineGrants.id, { onDelete: 'cascade' }),
    createdAt,
    expiresAt: time().notNull(),
    usedAt: time(),
  },
  (table) => [
    index('refresh_tokens_grant').on(table.grantId),
    index('refresh_tokens_expires').on(table.expiresAt),
  ],
)

/** Tokens for the userinfo endpoint. A second use of their code revokes them. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    tokenHash: bytes().primaryKey(),
    /** Null for a token that a refresh returned. */
    codeHash: bytes().references(() => authorizationCodes.codeHash, { onDelete: 'cascade' }),
    grantId: uuid()
      .$type<OfflineGrantId>()
      .references(() => offlineGrants.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    clientId: clientId(),
    userId: userId(),
    scope: text().notNull(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [
    index('access_tokens_code').on(table.codeHash),
    index('access_tokens_grant').on(table.grantId),
    index('access_tokens_client').on(table.clientId),
    index('access_tokens_user').on(table.userId),
    index('access_tokens_expires').on(table.expiresAt),
  ],
)

/** Keys of ES256 for ID tokens. All are published; their age decides which one signs. */
export const signingKeys = pgTable('signing_keys', {
  kid: text().primaryKey(),
  sealedPrivateKey: text(),
  /** The key as an older version stored it; null once it is sealed. */
  privateKey: jsonb().$type<JWK>(),
  createdAt,
})

/** Keys of RS256. Separate from `signing_keys`, because older servers sign with any key there. */
export const rsaSigningKeys = pgTable('rsa_signing_keys', {
  kid: text().primaryKey(),
  sealedPrivateKey: text().notNull(),
  createdAt,
})
