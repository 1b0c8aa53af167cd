import { dnsVerdicts, type ProjectDns, type ProjectId } from '@slipway/contract/projects'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

/** What DNS said of the custom domain of a project: one row while it has one. */
export const domainChecks = pgTable(
  'domain_checks',
  {
    projectId: uuid()
      .$type<ProjectId>()
      .primaryKey()
      .references(() => projects.id),
    /** What was asked about: an answer about another domain is not stored. */
    domain: text().notNull(),
    /** Null until it was asked. */
    verdict: text({ enum: dnsVerdicts }),
    found: jsonb().$type<ProjectDns['found']>().notNull().default([]),
    /** When name servers were last asked, and when they last answered. */
    checkedAt: time(),
    foundAt: time(),
    /** Checks in a row that did not find it correct: they become rarer. */
    misses: integer().notNull().default(0),
    nextCheckAt: time().notNull(),
  },
  (table) => [index('domain_checks_next').on(table.nextCheckAt, table.projectId)],
)
