import { certificateProblems } from '@slipway/contract/domains'
import type { Id } from '@slipway/contract/id'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

export const challengeTypes = ['http-01', 'dns-01'] as const
export type ChallengeType = (typeof challengeTypes)[number]

export const expiryNotices = ['three_weeks', 'one_week', 'expired'] as const
export type ExpiryNotice = (typeof expiryNotices)[number]

export type AcmeAccountId = Id<'AcmeAccount'>
export type CertificateId = Id<'Certificate'>
export type CertificateOrderId = Id<'CertificateOrder'>

/** Our accounts, one for each ACME directory (RFC 8555 §7.1.2). */
export const acmeAccounts = pgTable('acme_accounts', {
  id: uuid().$type<AcmeAccountId>().primaryKey(),
  directory: text().notNull().unique('acme_accounts_directory'),
  sealedKey: text().notNull(),
  /** Null until it is registered, and after the CA has lost it. */
  url: text(),
  /** The registered email address. */
  contact: text(),
  /** No orders before this time: the CA is unreachable or rate-limits us. */
  pausedUntil: time(),
  /** Consecutive failures of the CA itself, for the backoff. */
  failures: integer().notNull().default(0),
  createdAt,
})

/**
 * One row for each host with TLS, before its first certificate too. Dropped ones await revocation.
 */
export const certificates = pgTable(
  'certificates',
  {
    id: uuid().$type<CertificateId>().primaryKey(),
    /** In lower case as in DNS (RFC 5890 A-labels); a wildcard starts with `*.`. */
    host: text().notNull(),
    /** Null for the service's own hosts. */
    projectId: uuid()
      .$type<ProjectId>()
      .references(() => projects.id),
    challenge: text({ enum: challengeTypes }).notNull(),

    /** The stored certificate with its key; null before the first. */
    sealed: text(),
    /** SHA-256 of the certificate, in hex. */
    fingerprint: text(),
    /** The CA that issued it, and its name in the certificate. */
    directory: text(),
    issuer: text(),
    /** The certificate's name for the CA's renewal information (RFC 9773 §4.1). */
    renewalId: text(),
    startsAt: time(),
    expiresAt: time(),
    renewAt: time(),

    /** Why the last attempt failed, and the CA's error text; null unless it failed. */
    problem: text({ enum: certificateProblems }),
    detail: text(),
    /** The end of the last attempt. */
    checkedAt: time(),
    /** Consecutive failed attempts, for the backoff. */
    failures: integer().notNull().default(0),
    useFallback: boolean().notNull().default(false),
    /** When a job processes it next. */
    dueAt: time().notNull(),
    /** The last email about its expiry; null once it is renewed. */
    notice: text({ enum: expiryNotices }),

    /** When the host was removed. Its certificate is no longer served. */
    droppedAt: time(),
    /** When the revocation began. The host can no longer reuse the certificate. */
    revokingAt: time(),
    createdAt,
  },
  (table) => [
    uniqueIndex('certificates_host').on(table.host).where(sql`${table.droppedAt} is null`),
    index('certificates_due').on(table.dueAt, table.id),
    index('certificates_dropped')
      .on(table.host)
      .where(sql`${table.droppedAt} is not null and ${table.revokingAt} is null`),
    // A timer reads the few certificates of the service itself every few minutes.
    index('certificates_own')
      .on(table.host)
      .where(sql`${table.projectId} is null and ${table.droppedAt} is null`),
    // Each scrape of the metrics counts them, from the index alone.
    index('certificates_expiry')
      .on(table.expiresAt, table.problem)
      .where(sql`${table.droppedAt} is null`),
  ],
)

/** Orders at a CA (RFC 8555 §7.1.3). Ended ones are stored until no limit counts them. */
export const certificateOrders = pgTable(
  'certificate_orders',
  {
    id: uuid().$type<CertificateOrderId>().primaryKey(),
    /** Null once the certificate is removed. */
    certificateId: uuid()
      .$type<CertificateId>()
      .references(() => certificates.id, { onDelete: 'set null' }),
    host: text().notNull(),
    /** The team of the host's project; null for the service's own hosts. */
    teamId: uuid().$type<TeamId>(),
    directory: text().notNull(),
    /** Null until the CA has created it. */
    url: text(),
    /** The key of the new certificate; null once the order has ended. */
    sealedKey: text(),
    /** From here on the CA may issue the certificate at any time. */
    finalizedAt: time(),
    endedAt: time(),
    /** How it ended: `issued`, `dropped` or the problem. */
    outcome: text(),
    createdAt,
  },
  (table) => [
    // One order of a certificate at a time, also with two workers.
    uniqueIndex('certificate_orders_open')
      .on(table.certificateId)
      .where(sql`${table.endedAt} is null`),
    index('certificate_orders_certificate').on(table.certificateId),
    index('certificate_orders_directory').on(table.directory, table.createdAt),
    index('certificate_orders_unended').on(table.directory).where(sql`${table.endedAt} is null`),
    index('certificate_orders_host').on(table.host, table.createdAt),
    index('certificate_orders_created').on(table.createdAt),
  ],
)

/** The challenges of open orders. Any gateway serves them (RFC 8555 §8). */
export const certificateChallenges = pgTable(
  'certificate_challenges',
  {
    orderId: uuid()
      .$type<CertificateOrderId>()
      .notNull()
      .references(() => certificateOrders.id, { onDelete: 'cascade' }),
    type: text({ enum: challengeTypes }).notNull(),
    host: text().notNull(),
    token: text().notNull(),
    /** The key authorization, or the value of the TXT record. */
    response: text().notNull(),
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.host, table.token] }),
    index('certificate_challenges_order').on(table.orderId),
  ],
)
