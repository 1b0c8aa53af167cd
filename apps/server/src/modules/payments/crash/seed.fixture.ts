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

/** Fewer than one person may try in the window, twice over: what was killed is tried again. */
const paymentsPerPayer = 4

/**
 * Stores so many payments to be made: people with a card each, every tenth of which declines, and one to
 * three unpaid invoices for each payment. All at once, for there may be a thousand.
 */
export async function seedPayments(db: Db, count: number): Promise<Item[]> {
  const now = new Date()
  const times = { createdAt: now, updatedAt: now }
  const people = Array.from({ length: Math.ceil(count / paymentsPerPayer) }, (_, place) => ({
    id: newId<'User'>(),
    cardId: newId<'PaymentMethod'>(),
    name: `payer${place}`,
    token: randomBytes(32).toString('base64url'),
    behaviour: place % 10 === 9 ? ('declines' as const) : ('charges' as const),
  }))
  await db.insert(users).values(
    people.map(({ id, name }) => ({
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
    people.map(({ id, token }) => ({
      id: newId<'Session'>(),
      userId: id,
      tokenHash: createHash('sha256').update(token).digest(),
      lastUsedAt: now,
      createdAt: now,
    })),
  )
  await db
    .insert(sandboxCards)
    .values(people.map(({ cardId, behaviour }) => ({ token: cardId, behaviour, createdAt: now })))
  await db.insert(paymentMethods).values(
    people.map(({ id, cardId, name }) => ({
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
  const items = Array.from({ length: count }, (_, place) => {
    const person = people[Math.floor(place / paymentsPerPayer)]
    if (!person) throw new Error('a payment needs a person')
    const invoiceIds = Array.from({ length: 1 + (place % 3) }, (): InvoiceId => {
      const startsAt = new Date(now.getTime() - (rows.length + 2) * day)
      const endsAt = new Date(startsAt.getTime() + day)
      const amount = toAmount(money(`${1 + (rows.length % 97)}.${10_000 + (rows.length % 9973)}`))
      const id = newId<'Invoice'>()
      rows.push({ id, userId: person.id, startsAt, endsAt, amount, issuedAt: now })
      return id
    })
    return { token: person.token, body: { invoiceIds, paymentMethodId: person.cardId } }
  })
  for (let start = 0; start < rows.length; start += 1000)
    await db.insert(invoices).values(rows.slice(start, start + 1000))
  return items
}
