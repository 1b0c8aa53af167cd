import { createHash, randomBytes } from 'node:crypto'
import type { InvoiceId } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import type { Db } from '../../../db/connect.ts'
import { newId } from '../../../db/ids.ts'
import { sandboxCards } from '../../../engines/payments/sandbox/sandbox.schema.ts'
import { users } from '../../account/account.schema.ts'
import { invoices } from '../../invoices/invoices.schema.ts'
import { paymentMethods } from '../../payment-methods/payment-methods.schema.ts'
import { sessions } from '../../sessions/sessions.schema.ts'
import type { Item } from './payer-process.fixture.ts'

/** Below the rate limit even when every payment is retried once. */
const paymentsPerPayer = 4

/**
 * Stores the data for `count` payments: users with one card each, and one to three unpaid invoices
 * per payment. The card of every tenth user is declined. Uses few statements, because `count` may
 * be 1000.
 */
export async function seedPayments(db: Db, count: number): Promise<Item[]> {
  const now = new Date()
  const times = { createdAt: now, updatedAt: now }
  const payers = Array.from({ length: Math.ceil(count / paymentsPerPayer) }, (_, index) => ({
    id: newId<'User'>(),
    cardId: newId<'PaymentMethod'>(),
    name: `payer${index}`,
    token: randomBytes(32).toString('base64url'),
    behavior: index % 10 === 9 ? ('declines' as const) : ('charges' as const),
  }))
  await db.insert(users).values(
    payers.map(({ id, name }) => ({
      ...times,
      id,
      username: name,
      name,
      email: `${name}@example.com`,
      loginKind: 'Email' as const,
      verifiedAt: now,
    })),
  )
  await db.insert(sessions).values(
    payers.map(({ id, token }) => ({
      id: newId<'Session'>(),
      userId: id,
      tokenHash: createHash('sha256').update(token).digest(),
      lastUsedAt: now,
      createdAt: now,
    })),
  )
  await db
    .insert(sandboxCards)
    .values(payers.map(({ cardId, behavior }) => ({ token: cardId, behavior, createdAt: now })))
  await db.insert(paymentMethods).values(
    payers.map(({ id, cardId, name }) => ({
      ...times,
      id: cardId,
      userId: id,
      gateway: 'sandbox',
      token: cardId,
      cardAssoc: 'visa' as const,
      lastDigits: '4242',
      holderName: name,
      expiresAt: new Date(now.getTime() + 1000 * day),
      billingName: name,
      address: 'Example street 1',
      district: 'Example',
      city: 'Example',
      country: 'Turkey' as const,
      isDefault: true,
    })),
  )
  const rows: (typeof invoices.$inferInsert)[] = []
  const items = Array.from({ length: count }, (_, index) => {
    const payer = payers[Math.floor(index / paymentsPerPayer)]
    if (!payer) throw new Error('a payment needs a payer')
    const invoiceIds = Array.from({ length: 1 + (index % 3) }, (): InvoiceId => {
      const startsAt = new Date(now.getTime() - (rows.length + 2) * day)
      const endsAt = new Date(startsAt.getTime() + day)
      const amount = toAmount(money(`${1 + (rows.length % 97)}.${10_000 + (rows.length % 9973)}`))
      const id = newId<'Invoice'>()
      rows.push({ id, userId: payer.id, startsAt, endsAt, amount, issuedAt: now })
      return id
    })
    return { token: payer.token, body: { invoiceIds, paymentMethodId: payer.cardId } }
  })
  for (let start = 0; start < rows.length; start += 1000)
    await db.insert(invoices).values(rows.slice(start, start + 1000))
  return items
}
