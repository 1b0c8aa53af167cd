import { and, count, desc, eq, inArray, min, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { type MailId, mails } from './mail.schema.ts'

export type Mail = typeof mails.$inferSelect

/** The id of the new email; undefined when the key exists. */
export async function insert(
  db: Db,
  mail: { key: string; recipient: string; subject: string; text: string; html: string },
  now: Date,
) {
  const [created] = await db
    .insert(mails)
    .values({ id: newId<'Mail'>(), ...mail, state: 'queued', createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: mails.key })
    .returning({ id: mails.id })
  return created?.id
}

export async function find(db: Db, id: MailId): Promise<Mail | undefined> {
  const [mail] = await db.select().from(mails).where(eq(mails.id, id))
  return mail
}

export const listNewest = (db: Db): Promise<Mail[]> =>
  db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(200)

/** The count and the oldest of the unsent emails, by state. */
export const countUnsent = (db: Db) =>
  db
    .select({ state: mails.state, count: count(), oldest: min(mails.createdAt) })
    .from(mails)
    .where(inArray(mails.state, ['queued', 'failed']))
    .groupBy(mails.state)

const ifQueued = (id: MailId) => and(eq(mails.id, id), eq(mails.state, 'queued'))

export async function setKept(db: Db, id: MailId, now: Date) {
  await db.update(mails).set({ state: 'kept', updatedAt: now }).where(ifQueued(id))
}

/** Whatever its state: the SMTP server has accepted the email. */
export async function setSent(db: Db, id: MailId, now: Date) {
  await db
    .update(mails)
    .set({
      state: 'sent',
      text: null,
      html: null,
      lastError: null,
      attempts: sql`${mails.attempts} + 1`,
      sentAt: now,
      updatedAt: now,
    })
    .where(eq(mails.id, id))
}

/** Records a failed attempt, unless a concurrent one has sent the email. */
export async function recordAttempt(db: Db, id: MailId, lastError: string, now: Date) {
  await db
    .update(mails)
    .set({ lastError, attempts: sql`${mails.attempts} + 1`, updatedAt: now })
    .where(ifQueued(id))
}

/**
 * Returns the failed email, with `reason` if no attempt left one; undefined if it is not queued.
 */
export async function setFailed(db: Db, id: MailId, reason: string, now: Date) {
  const [failed] = await db
    .update(mails)
    .set({
      state: 'failed',
      lastError: sql`coalesce(${mails.lastError}, ${reason})`,
      updatedAt: now,
    })
    .where(ifQueued(id))
    .returning({ lastError: mails.lastError })
  return failed
}

/** Marks every queued email as failed, and returns their count. */
export async function failQueued(db: Db, lastError: string, now: Date): Promise<number> {
  const { rowCount } = await db
    .update(mails)
    .set({ state: 'failed', lastError, updatedAt: now })
    .where(eq(mails.state, 'queued'))
  return rowCount ?? 0
}
