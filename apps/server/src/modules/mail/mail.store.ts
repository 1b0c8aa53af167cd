import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { type MailId, mails } from './mail.schema.ts'

export type Mail = typeof mails.$inferSelect

/** The id of the new mail; undefined when there is one of this key already. */
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

export async function setKept(db: Db, id: MailId, now: Date) {
  await db.update(mails).set({ state: 'kept', updatedAt: now }).where(eq(mails.id, id))
}

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

export async function setFailed(
  db: Db,
  id: MailId,
  state: 'queued' | 'failed',
  lastError: string,
  now: Date,
) {
  await db
    .update(mails)
    .set({ state, lastError, attempts: sql`${mails.attempts} + 1`, updatedAt: now })
    .where(eq(mails.id, id))
}
