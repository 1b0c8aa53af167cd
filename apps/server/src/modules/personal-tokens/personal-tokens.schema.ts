import type { UserId } from '@slipway/contract/account'
import type { Id } from '@slipway/contract/id'
import type { PersonalTokenId } from '@slipway/contract/personal-tokens'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teamMembers } from '../teams/teams.schema.ts'

export type DeviceAuthorizationId = Id<'DeviceAuthorization'>

const ownerId = () =>
  uuid()
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'cascade' })

export const personalTokens = pgTable(
  'personal_tokens',
  {
    id: uuid().$type<PersonalTokenId>().primaryKey(),
    userId: ownerId().notNull(),
    name: text().notNull(),
    /** SHA-256 of the token, so that a leaked row is useless. */
    tokenHash: bytes().notNull().unique('personal_tokens_token_hash'),
    /** False for a token that may use only its rows in `personal_token_projects`. */
    allProjects: boolean().notNull(),
    createdAt,
    expiresAt: time().notNull(),
    /** Rounded to the minute, so that a busy token is written once a minute. */
    lastUsedAt: time(),
    lastUsedAddress: text(),
    /** The first product of the User-Agent header. */
    lastUsedClient: text(),
  },
  (table) => [
    index('personal_tokens_user').on(table.userId, table.createdAt),
    index('personal_tokens_expires').on(table.expiresAt),
  ],
)

/**
 * The projects of a limited token. A row is deleted with the membership through which the user has
 * the project.
 */
export const personalTokenProjects = pgTable(
  'personal_token_projects',
  {
    tokenId: uuid()
      .$type<PersonalTokenId>()
      .notNull()
      .references(() => personalTokens.id, { onDelete: 'cascade' }),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    teamId: uuid().$type<TeamId>().notNull(),
    userId: uuid().$type<UserId>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.projectId] }),
    foreignKey({
      name: 'personal_token_projects_member',
      columns: [table.teamId, table.userId],
      foreignColumns: [teamMembers.teamId, teamMembers.userId],
    }).onDelete('cascade'),
    index('personal_token_projects_member').on(table.teamId, table.userId),
    index('personal_token_projects_project').on(table.projectId),
  ],
)

/** Logins of programs that wait for their user, or for the program to get its token. */
export const deviceAuthorizations = pgTable(
  'device_authorizations',
  {
    id: uuid().$type<DeviceAuthorizationId>().primaryKey(),
    /** SHA-256 of the device code. */
    deviceCodeHash: bytes().notNull().unique('device_authorizations_device_code'),
    userCode: text().notNull().unique('device_authorizations_user_code'),
    /** The machine's own name, and the address of its request. */
    name: text().notNull(),
    address: text().notNull(),
    state: text({ enum: ['pending', 'approved', 'denied'] }).notNull(),
    /** The user who approved it, and the projects of its token. */
    userId: ownerId(),
    projectIds: jsonb().$type<ProjectId[]>(),
    days: integer(),
    /** Milliseconds that the program must wait between two polls. */
    interval: integer().notNull(),
    lastPolledAt: time(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [
    index('device_authorizations_user').on(table.userId),
    index('device_authorizations_expires').on(table.expiresAt),
  ],
)
