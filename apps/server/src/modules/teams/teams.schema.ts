import type { UserId } from '@slipway/contract/account'
import type { TeamId } from '@slipway/contract/teams'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

export const teams = pgTable(
  'teams',
  {
    id: uuid().$type<TeamId>().primaryKey(),
    name: text().notNull(),
    /** The team's owner. */
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    createdAt,
    updatedAt,
  },
  (table) => [index('teams_owner').on(table.userId)],
)

/** The members, including the owner: they may see the team and its projects. */
export const teamMembers = pgTable(
  'team_members',
  {
    teamId: uuid()
      .$type<TeamId>()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_members_user').on(table.userId),
  ],
)

/** An invited address may or may not have an account. */
export const teamInvitations = pgTable(
  'team_invitations',
  {
    teamId: uuid()
      .$type<TeamId>()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.email] }),
    index('team_invitations_email').on(table.email),
  ],
)
