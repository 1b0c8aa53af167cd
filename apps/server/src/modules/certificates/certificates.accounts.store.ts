import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { acmeAccounts } from './certificates.schema.ts'

export type AcmeAccount = typeof acmeAccounts.$inferSelect

export async function find(db: Db, directory: string): Promise<AcmeAccount | undefined> {
  const [account] = await db
    .select()
    .from(acmeAccounts)
    .where(eq(acmeAccounts.directory, directory))
  return account
}

/** Locks the account of a directory, so that concurrent orders count against its limits. */
export async function lock(tx: Tx, directory: string): Promise<AcmeAccount | undefined> {
  const [account] = await tx
    .select()
    .from(acmeAccounts)
    .where(eq(acmeAccounts.directory, directory))
    .for('update')
  return account
}

export async function insert(db: Db, account: typeof acmeAccounts.$inferInsert) {
  await db.insert(acmeAccounts).values(account).onConflictDoNothing({
    target: acmeAccounts.directory,
  })
}

export async function update(
  db: Db,
  { id }: Pick<AcmeAccount, 'id'>,
  change: Partial<Pick<AcmeAccount, 'url' | 'contact' | 'pausedUntil' | 'failures'>>,
) {
  await db.update(acmeAccounts).set(change).where(eq(acmeAccounts.id, id))
}
