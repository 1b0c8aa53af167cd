import { lt } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { spentCaptchas } from './captcha.schema.ts'

/** Redeems a challenge; false if it was redeemed before. */
export async function redeem(db: Db, signature: string, expiresAt: Date) {
  const redeemed = await db
    .insert(spentCaptchas)
    .values({ signature, expiresAt })
    .onConflictDoNothing()
    .returning({ signature: spentCaptchas.signature })
  return redeemed.length === 1
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(spentCaptchas).where(lt(spentCaptchas.expiresAt, now))
}
