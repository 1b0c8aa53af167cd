import type { Db } from '../../../apps/server/src/db/connect.ts'
import { newId } from '../../../apps/server/src/db/ids.ts'
import { mails } from '../../../apps/server/src/modules/mail/mail.schema.ts'

/** Inserts an email that a mail server has rejected, and returns its id. */
export async function seedFailedEmail(db: Db) {
  const id = newId<'Mail'>()
  const now = new Date()
  await db.insert(mails).values({
    id,
    key: `failed:${id}`,
    recipient: 'reader@example.com',
    subject: 'An email',
    text: 'Hello.',
    html: '<p>Hello.</p>',
    state: 'failed',
    attempts: 1,
    lastError: '550 no such user',
    createdAt: now,
    updatedAt: now,
  })
  return id
}
