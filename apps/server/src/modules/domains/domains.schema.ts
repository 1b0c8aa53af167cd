import { dnsVerdicts, type ProjectDns, type ProjectId } from '@slipway/contract/projects'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

/** The DNS checks of custom domains: one row per project with a domain. */
export const domainChecks = pgTable(
  'domain_checks',
  {
    projectId: uuid()
      .$type<ProjectId>()
      .primaryKey()
      .references(() => projects.id),
    /** The checked domain: a result for another domain is discarded. */
    domain: text().notNull(),
    /** Null before the first check. */
    verdict: text({ enum: dnsVerdicts }),
    found: jsonb().$type<ProjectDns['found']>().notNull().default([]),
    /** The times of the last check and of the last one with a response. */
    checkedAt: time(),
    foundAt: time(),
    /** Checks in a row without the verdict `correct`; more misses mean longer intervals. */
    misses: integer().notNull().default(0),
    nextCheckAt: time().notNull(),
  },
  (table) => [index('domain_checks_next').on(table.nextCheckAt, table.projectId)],
)
