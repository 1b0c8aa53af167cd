import { type ProjectId, projectFailures, projectStates } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { teams } from '../teams/teams.schema.ts'

export const projects = pgTable(
  'projects',
  {
    id: uuid().$type<ProjectId>().primaryKey(),
    teamId: uuid()
      .$type<TeamId>()
      .notNull()
      .references(() => teams.id),
    key: text().notNull().unique('projects_key'),
    regionId: text().notNull(),
    name: text().notNull(),
    domain: text(),
    state: text({ enum: projectStates }).notNull(),
    failure: text({ enum: projectFailures }),
    /** What the engine said of the instance when it became ready. */
    metadata: jsonb().$type<{ key: string; value: string }[]>().notNull().default([]),
    /** Counts what was asked for: a reconciler that read an older one has not finished. */
    generation: integer().notNull().default(1),
    /** The generation that the engine has taken up. */
    appliedGeneration: integer().notNull().default(0),
    /** When a passing state ends as a failure. */
    deadlineAt: time(),
    createdAt,
    updatedAt,
    deletedAt: time(),
  },
  (table) => [
    index('projects_team').on(table.teamId, table.createdAt, table.id),
    // A domain belongs to one project until that one is deleted; two requests cannot both win it.
    uniqueIndex('projects_domain')
      .on(table.domain)
      .where(sql`${table.domain} is not null and ${table.state} <> 'deleted'`),
    index('projects_unsettled')
      .on(table.state)
      .where(sql`${table.state} in ('pending', 'creating', 'modifying', 'deleting')`),
  ],
)
