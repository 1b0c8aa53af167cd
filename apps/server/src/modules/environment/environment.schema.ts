import type { Id } from '@slipway/contract/id'
import type { ProjectId } from '@slipway/contract/projects'
import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { updatedAt } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

export type VariableId = Id<'Variable'>

/** The environment variables of sites. Names can be read, values are sealed. */
export const projectVariables = pgTable(
  'project_variables',
  {
    id: uuid().$type<VariableId>().primaryKey(),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    sealed: text().notNull(),
    /** Bytes of the name and the value, for the limit of all. */
    bytes: integer().notNull(),
    updatedAt,
  },
  (table) => [unique('project_variables_name').on(table.projectId, table.name)],
)
