import type { UserId } from '@slipway/contract/account'
import type { RegistryId } from '@slipway/contract/registries'
import type { TeamId } from '@slipway/contract/teams'
import { pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { teams } from '../teams/teams.schema.ts'

/** The credentials with which a team's projects pull images. Passwords are sealed. */
export const registries = pgTable(
  'registries',
  {
    id: uuid().$type<RegistryId>().primaryKey(),
    teamId: uuid()
      .$type<TeamId>()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    host: text().notNull(),
    username: text().notNull(),
    sealed: text().notNull(),
    /** Who set the password. */
    userId: uuid()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    setAt: time().notNull(),
    lastUsedAt: time(),
  },
  (table) => [unique('registries_host').on(table.teamId, table.host)],
)
