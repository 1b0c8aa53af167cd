import type { ProjectId } from '@slipway/contract/projects'
import type { ClientSecretId, SignInClientId } from '@slipway/contract/sign-in-clients'
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time, updatedAt } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

/** Software of a customer that signs the project's team in. */
export const signInClients = pgTable(
  'sign_in_clients',
  {
    id: uuid().$type<SignInClientId>().primaryKey(),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** True for a program that cannot store a secret: it has PKCE only (RFC 8252 §8.5). */
    isPublic: boolean().notNull(),
    algorithm: text({ enum: ['RS256', 'ES256'] }).notNull(),
    redirectUris: jsonb().$type<string[]>().notNull(),
    logoutRedirectUris: jsonb().$type<string[]>().notNull(),
    createdAt,
    updatedAt,
  },
  (table) => [index('sign_in_clients_project').on(table.projectId, table.createdAt)],
)

export const signInClientSecrets = pgTable(
  'sign_in_client_secrets',
  {
    id: uuid().$type<ClientSecretId>().primaryKey(),
    clientId: uuid()
      .$type<SignInClientId>()
      .notNull()
      .references(() => signInClients.id, { onDelete: 'cascade' }),
    /** SHA-256 of the secret, so that a leaked row is useless. */
    secretHash: bytes().notNull(),
    /** Its last characters, by which its owner recognizes it. */
    hint: text().notNull(),
    createdAt,
    /** Rounded to the minute. */
    lastUsedAt: time(),
  },
  (table) => [index('sign_in_client_secrets_client').on(table.clientId, table.createdAt)],
)
