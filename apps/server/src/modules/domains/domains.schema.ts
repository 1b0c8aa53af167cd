import { domainStates } from '@slipway/contract/domain-state'
import {
  type DnsRecord,
  type DomainId,
  type DomainProblem,
  type DomainStepId,
  domainRoles,
} from '@slipway/contract/domains'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

export type ExaminedStep = {
  id: Extract<DomainStepId, 'record' | 'reach' | 'caa'>
  state: 'waiting' | 'done' | 'warning' | 'failed'
  problem: DomainProblem | null
  /** The records that the owner may enter; any one of them suffices. */
  expected?: DnsRecord[]
  found: DnsRecord[]
}

/**
 * The proof of a domain's ownership: its TXT record, a record that leads to the project's own host,
 * or one that leads to the host that all projects of the region share. `none`: a development
 * machine needs no proof.
 */
export const domainProofs = ['txt', 'own_record', 'shared_record', 'none'] as const
export type DomainProof = (typeof domainProofs)[number]

/** The domains of the projects. Those of deleted projects are removed. */
export const domains = pgTable(
  'domains',
  {
    id: uuid().$type<DomainId>().primaryKey(),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id),
    /** Lower-case, in ASCII. */
    host: text().notNull(),
    role: text({ enum: domainRoles }).notNull(),
    redirectStatus: integer().$type<301 | 308>().notNull().default(308),
    hsts: boolean().notNull().default(false),
    /** When HSTS was turned off: responses then have `max-age=0`, so that browsers delete it. */
    hstsEndedAt: time(),
    state: text({ enum: domainStates }).notNull(),
    /** Null while it is pending. */
    proof: text({ enum: domainProofs }),
    provenAt: time(),
    /** The value of its TXT record, different for each project and owner. */
    token: text().notNull(),
    steps: jsonb().$type<ExaminedStep[]>().notNull().default([]),
    /** The id of the DNS provider; null if it is not known. */
    provider: text(),
    checkedAt: time(),
    /** Consecutive checks with wrong records. The interval grows with them. */
    misses: integer().notNull().default(0),
    nextCheckAt: time().notNull(),
    /** Until then a user waits for the result, and the intervals are short. */
    watchedUntil: time(),
    /** True once the team got an email that it fails. */
    failureReported: boolean().notNull().default(false),
    /** When the last email was sent. A record that keeps changing causes one a day. */
    failureReportedAt: time(),
    createdAt,
  },
  (table) => [
    uniqueIndex('domains_project_host').on(table.projectId, table.host),
    // A proven name belongs to one project, also when two prove it at once.
    uniqueIndex('domains_proven').on(table.host).where(sql`${table.state} <> 'pending'`),
    uniqueIndex('domains_primary').on(table.projectId).where(sql`${table.role} = 'primary'`),
    index('domains_host').on(table.host),
    index('domains_next').on(table.nextCheckAt, table.id),
    // Each scrape of the metrics counts them, from the index alone.
    index('domains_state').on(table.state),
  ],
)

/**
 * Proven names that a project released. Until DNS has led elsewhere for a week, the shared record
 * proves them only to the same team: its owner may have forgotten to delete it.
 */
export const releasedDomains = pgTable(
  'released_domains',
  {
    host: text().primaryKey(),
    teamId: uuid().$type<TeamId>().notNull(),
    regionId: text().notNull(),
    releasedAt: time().notNull(),
    nextCheckAt: time().notNull(),
    /** The first of the consecutive checks that found it leading elsewhere. */
    elsewhereSince: time(),
    /** The first of the consecutive checks to which no name server responded. */
    silentSince: time(),
    /** When its responses last required https (HSTS): browsers may still have it stored. */
    hstsEndedAt: time(),
  },
  (table) => [index('released_domains_next').on(table.nextCheckAt, table.host)],
)

/** The DNS checks of version 0.1.0, which may still run beside this one. */
export const domainChecks = pgTable(
  'domain_checks',
  {
    projectId: uuid()
      .$type<ProjectId>()
      .primaryKey()
      .references(() => projects.id),
    domain: text().notNull(),
    verdict: text(),
    found: jsonb().notNull().default([]),
    checkedAt: time(),
    foundAt: time(),
    misses: integer().notNull().default(0),
    nextCheckAt: time().notNull(),
  },
  (table) => [index('domain_checks_next').on(table.nextCheckAt, table.projectId)],
)
