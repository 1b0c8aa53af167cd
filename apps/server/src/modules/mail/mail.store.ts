import type { EmailId } from '@slipway/contract/emails'
import type { ProjectId } from '@slipway/contract/projects'
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  min,
  ne,
  or,
  sql,
} from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { mails } from './mail.schema.ts'

export type Mail = typeof mails.$inferSelect

// The raw content may have megabytes, and only a delivery needs it.
const { raw: _raw, ...listedColumns } = getTableColumns(mails)

export type ListedMail = Omit<Mail, 'raw'>

type NewMail = { key: string; recipient: string; subject: string } & (
  | { text: string; html: string }
  | { raw: Buffer; projectId: ProjectId }
)

/** The id of the new email; undefined when the key exists. */
export async function insert(db: Db, mail: NewMail, now: Date) {
  const [created] = await db
    .insert(mails)
    .values({ id: newId<'Mail'>(), ...mail, state: 'queued', createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: mails.key })
    .returning({ id: mails.id })
  return created?.id
}

export async function find(db: Db, id: EmailId): Promise<Mail | undefined> {
  const [mail] = await db.select().from(mails).where(eq(mails.id, id))
  return mail
}

export const listNewest = (db: Db): Promise<ListedMail[]> =>
  db.select(listedColumns).from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(200)

/** The count and the oldest of the unsent emails, by state. */
export const countUnsent = (db: Db) =>
  db
    .select({ state: mails.state, count: count(), oldest: min(mails.createdAt) })
    .from(mails)
    .where(inArray(mails.state, ['queued', 'failed']))
    .groupBy(mails.state)

const ifQueued = (id: EmailId) => and(eq(mails.id, id), eq(mails.state, 'queued'))

export async function setKept(db: Db, id: EmailId, now: Date) {
  await db.update(mails).set({ state: 'kept', updatedAt: now }).where(ifQueued(id))
}

/** Changes any state, because the SMTP server has accepted the email. */
export async function setSent(db: Db, id: EmailId, now: Date) {
  await db
    .update(mails)
    .set({
      state: 'sent',
      text: null,
      html: null,
      raw: null,
      lastError: null,
      nextAttemptAt: null,
      sentAt: now,
      updatedAt: now,
    })
    .where(eq(mails.id, id))
}

/** The first queued email to the recipient from the service, or from the site of the project. */
export async function findNext(
  db: Db,
  { recipient, projectId }: Pick<Mail, 'recipient' | 'projectId'>,
): Promise<Mail | undefined> {
  const isOfSender = projectId === null ? isNull(mails.projectId) : eq(mails.projectId, projectId)
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, recipient), isOfSender, eq(mails.state, 'queued')))
    .orderBy(asc(mails.createdAt), asc(mails.id))
    .limit(1)
  return mail
}

/**
 * The first queued email to each recipient from the service and from each site, if it has been due
 * since `since`.
 */
export async function listOverdue(db: Db, since: Date, limit: number) {
  const next = db
    .selectDistinctOn([mails.recipient, mails.projectId], {
      id: mails.id,
      recipient: mails.recipient,
      projectId: mails.projectId,
      dueAt: sql`coalesce(${mails.nextAttemptAt}, ${mails.createdAt})`.as('due_at'),
    })
    .from(mails)
    .where(eq(mails.state, 'queued'))
    .orderBy(asc(mails.recipient), asc(mails.projectId), asc(mails.createdAt), asc(mails.id))
    .as('next')
  return db
    .select({ id: next.id, recipient: next.recipient, projectId: next.projectId })
    .from(next)
    .where(lte(next.dueAt, since.toISOString()))
    .orderBy(asc(next.dueAt), asc(next.id))
    .limit(limit)
}

/**
 * Counts and starts an attempt. It counts as ended after `until`, even if its process is killed.
 * False when the email is no longer queued or another attempt was started.
 */
export async function startAttempt(
  db: Db,
  { id, attempts }: Pick<Mail, 'id' | 'attempts'>,
  now: Date,
  until: Date,
) {
  const started = await db
    .update(mails)
    .set({ attempts: attempts + 1, nextAttemptAt: until, updatedAt: now })
    .where(
      and(
        ifQueued(id),
        eq(mails.attempts, attempts),
        or(isNull(mails.nextAttemptAt), lte(mails.nextAttemptAt, now)),
      ),
    )
    .returning({ id: mails.id })
  return started.length > 0
}

/** Records why an attempt failed and the time of the next, unless another has sent the email. */
export async function recordFailure(
  db: Db,
  id: EmailId,
  failure: { lastError: string; nextAttemptAt: Date },
  now: Date,
) {
  await db
    .update(mails)
    .set({ ...failure, updatedAt: now })
    .where(ifQueued(id))
}

/** Marks a queued email as failed; false if it is not queued. */
export async function setFailed(db: Db, id: EmailId, reason: string, now: Date) {
  const failed = await db
    .update(mails)
    .set({ state: 'failed', lastError: reason, nextAttemptAt: null, updatedAt: now })
    .where(ifQueued(id))
    .returning({ id: mails.id })
  return failed.length > 0
}

/** Emails that failed, and queued ones whose last attempt did; across tenants, for operators. */
const stuck = (state: 'queued' | 'failed' | undefined) =>
  and(
    state ? eq(mails.state, state) : inArray(mails.state, ['queued', 'failed']),
    or(eq(mails.state, 'failed'), isNotNull(mails.lastError)),
  )

/** One page of the stuck emails, newest first, and the count of all. */
export async function listStuck(
  db: Db,
  state: 'queued' | 'failed' | undefined,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedMail[]; count: number }> {
  const rows = await db
    .select(listedColumns)
    .from(mails)
    .where(stuck(state))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .offset(page.offset)
    .limit(page.limit)
  const [all] = await db.select({ count: count() }).from(mails).where(stuck(state))
  return { rows, count: all?.count ?? 0 }
}

/** Queues an unsent email again, as if it were new; undefined if it is sent or missing. */
export async function setQueued(db: Db, id: EmailId, now: Date): Promise<Mail | undefined> {
  const [queued] = await db
    .update(mails)
    .set({ state: 'queued', attempts: 0, lastError: null, nextAttemptAt: null, updatedAt: now })
    .where(and(eq(mails.id, id), inArray(mails.state, ['queued', 'failed'])))
    .returning()
  return queued
}

/** Removes one batch of the emails created before `start`, except queued ones; returns its size. */
export async function removeBefore(db: Db, start: Date, limit: number) {
  const old = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(lt(mails.createdAt, start), ne(mails.state, 'queued')))
    .orderBy(asc(mails.createdAt), asc(mails.id))
    .limit(limit)
  const removed = await db.delete(mails).where(inArray(mails.id, old)).returning({ id: mails.id })
  return removed.length
}

export async function failQueued(db: Db, lastError: string, now: Date): Promise<number> {
  const { rowCount } = await db
    .update(mails)
    .set({ state: 'failed', lastError, updatedAt: now })
    .where(eq(mails.state, 'queued'))
  return rowCount ?? 0
}

/**
 * The emails of a project's site since `start`. Other transactions that count them wait for this
 * one.
 */
export async function countOfProject(tx: Tx, projectId: ProjectId, start: Date): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`emails ${projectId}`}, 0))`)
  const [all] = await tx
    .select({ count: count() })
    .from(mails)
    .where(and(eq(mails.projectId, projectId), gt(mails.createdAt, start)))
  return all?.count ?? 0
}
