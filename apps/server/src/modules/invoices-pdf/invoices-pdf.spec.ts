import { updateProfileName } from '@slipway/contract/account'
import { downloadInvoice, viewInvoice } from '@slipway/contract/invoices'
import { money, toAmount } from '@slipway/contract/money'
import { serviceLimits } from '@slipway/contract/service-limits'
import { formatMoney } from '@slipway/phrases'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { invoiceOf } from '../invoices/invoices.fixture.ts'
import { invoiceItems, type invoices } from '../invoices/invoices.schema.ts'
import { issue } from '../invoices/issuing/issuing.ts'
import { usageOf } from '../usage/usage.fixture.ts'
import { propertiesOf, textsOf } from './invoices-pdf.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const october = {
  startsAt: new Date('2026-10-01T00:00:00.000Z'),
  endsAt: new Date('2026-11-01T00:00:00.000Z'),
  issuedAt: new Date('2026-11-01T00:05:00.000Z'),
}

/** Adds items to the invoice, each with another price and a discount. */
async function addItems(id: typeof invoices.$inferSelect.id, count: number) {
  const [first] = await world.ctx.db
    .select()
    .from(invoiceItems)
    .where(eq(invoiceItems.invoiceId, id))
  if (!first) throw new Error('an invoice without an item')
  const items = Array.from({ length: count }, (_, index) => {
    const [price, discount] = [
      money('0.01')
        .plus(index + 1)
        .div(1000),
      money('0.00025'),
    ]
    return {
      ...first,
      id: newId<'InvoiceItem'>(),
      projectName: `Project ${index + 1}`,
      price: toAmount(price),
      discount: toAmount(discount),
      runningHours: 672,
      amount: toAmount(money(toAmount(price)).times(672)),
      discountAmount: toAmount(discount.times(672)),
      totalAmount: toAmount(money(toAmount(price)).minus(discount).times(672)),
      startsAt: new Date(first.startsAt.getTime() + index + 1),
    }
  })
  await world.ctx.db.insert(invoiceItems).values(items)
}

describe(title(downloadInvoice), () => {
  it("contains a paid invoice's amounts, dates, card, charge and recipient", async () => {
    const user = await world.user({ name: 'Işıl Örnek', locale: 'tr' })
    const { id } = await invoiceOf(world, user, {
      ...october,
      amount: '1234.56789',
      projectName: 'Çığ, ğüşöç & İnşaat',
      paidAt: new Date('2026-11-03T10:00:00.000Z'),
      paidWith: { cardAssoc: 'troy', lastDigits: '0042' },
      charge: { amount: toAmount(money('1244.56789')), chargedAmount: '1244.57', invoiceCount: 2 },
      billedTo: {
        billingName: 'Şükrü Çağlayan',
        address: 'İğde Sokağı 1',
        district: 'Üsküdar',
        city: 'İstanbul',
        country: 'Turkey',
        taxNumber: '1234567890',
      },
    })
    const file = await user.call(downloadInvoice, { params: { id } })

    expect(file.name).toBe(`slipway-invoice-2026-10-01-${id.slice(-8)}.pdf`)
    expect(Buffer.from(file.bytes.slice(0, 5)).toString()).toBe('%PDF-')
    const texts = (await textsOf(file.bytes)).flat().join('\n')
    for (const expected of [
      'Slipway',
      'Fatura',
      id,
      '1–31 Ekim 2026',
      '1 Kasım 2026',
      '2 Kasım 2026',
      '$1.234,56789 · Ödendi: 3 Kasım 2026',
      'Genel toplam',
      'Ödeme, 3 Kasım 2026 (troy •••• 0042)',
      '−$1.234,56789',
      'Karttan çekilen: $1.244,57',
      'toplam $1.244,56789',
      'iki ondalığa yuvarlandı',
      'Ödenecek tutar\n$0,00',
      'Şükrü Çağlayan',
      'İğde Sokağı 1',
      'Üsküdar, İstanbul',
      'Türkiye',
      'Vergi numarası: 1234567890',
      user.email,
      'Çığ, ğüşöç & İnşaat',
      'Web sitesi',
      '1 saat',
      '$1.234,56789',
      'Sayfa 1 / 1',
    ])
      expect(texts).toContain(expected)
  })

  it('shows the number, the seller and the tax, and is named by the number', async () => {
    const user = await world.user()
    const { id } = await invoiceOf(world, user, {
      ...october,
      number: 'SW-2026-000042',
      amount: '15.00000',
      taxRate: '20',
      taxAmount: toAmount(money('2.5')),
      seller: {
        name: 'Slip Ltd',
        address: ['Quay 1', '34710 İstanbul'],
        taxNumber: 'EX 123 456 789',
      },
    })
    const { name, bytes } = await user.call(downloadInvoice, { params: { id } })
    expect(name).toBe('SW-2026-000042.pdf')
    const texts = (await textsOf(bytes)).flat()
    for (const expected of ['Quay 1', '34710 İstanbul', 'Slip Ltd · SW-2026-000042'])
      expect(texts).toContain(expected)
    expect(texts.slice(0, 2)).toEqual(['Slip Ltd', 'Quay 1'])
    const after = (label: string) => texts[texts.indexOf(label) + 1]
    expect(after('Invoice number')).toBe('SW-2026-000042')
    expect(after('34710 İstanbul')).toBe('Tax number: EX 123 456 789')
    expect(after('Tax (20%)')).toBe('$2.50000')
  })

  it('names the user of the account on an unpaid invoice, in the language of the request', async () => {
    const user = await world.user({ name: 'Ada Example' })
    const { id } = await invoiceOf(world, user, { ...october, amount: '0.00001' })
    const { bytes } = await user.call(downloadInvoice, { params: { id } })
    const texts = (await textsOf(bytes)).flat()
    for (const expected of [
      'Invoice',
      '$0.00 · Due November 2, 2026',
      'Ada Example',
      user.email,
      '1 hour',
      'Page 1 of 1',
    ])
      expect(texts).toContain(expected)
    // Price, net, subtotal and total, which is rounded to nothing.
    expect(texts.filter((text) => text === '$0.00001')).toHaveLength(4)
    expect(texts.slice(texts.indexOf('Total'), texts.indexOf('Amount due') + 2)).toEqual([
      'Total',
      '$0.00001',
      'Rounding',
      '−$0.00001',
      'Amount due',
      '$0.00',
    ])
    expect(texts.join()).not.toContain('Payment')
  })

  it('is a PDF 1.7 that names its language and title, and claims no tags', async () => {
    const user = await world.user({ locale: 'tr' })
    const { id } = await invoiceOf(world, user, october)
    const { bytes } = await user.call(downloadInvoice, { params: { id } })
    expect(await propertiesOf(bytes)).toEqual({
      version: '1.7',
      language: 'tr',
      title: 'Slipway: 1–31 Ekim 2026 faturası',
      showsTitle: true,
      isMarked: false,
    })
  })

  it("prints users' input as plain text, and breaks long words", async () => {
    const user = await world.user({ name: 'W'.repeat(100) })
    const names = ['{{x}} <b>bold</b> *{a}*', 'W'.repeat(100)]
    for (const projectName of names) {
      const { id } = await invoiceOf(world, user, { projectName })
      const { bytes } = await user.call(downloadInvoice, { params: { id } })
      const [page = []] = await textsOf(bytes)
      expect(page.join('')).toContain(projectName)
      for (const word of page.filter((text) => !text.includes(' ')))
        expect(word.length).toBeLessThan(60)
    }
  })

  it('continues over as many pages as needed, with page numbers and repeated headers', async () => {
    const user = await world.user()
    const { id } = await invoiceOf(world, user, october)
    await addItems(id, 499)
    const shown = await user.call(viewInvoice, { params: { id } })
    const { bytes } = await user.call(downloadInvoice, { params: { id } })
    const pages = await textsOf(bytes)
    expect(pages.length).toBeGreaterThan(10)
    for (const [index, texts] of pages.entries()) {
      if (texts.includes('$0.00025')) expect(texts).toContain('Discount per hour')
      expect(texts).toContain(`Page ${index + 1} of ${pages.length}`)
    }
    const all = pages.flat()
    const count = (expected: string) => all.filter((text) => text === expected).length
    expect(shown.items).toHaveLength(500)
    for (const item of shown.items.slice(1)) {
      expect(count(item.projectName)).toBe(1)
      expect(count(formatMoney(item.price, 'en'))).toBeGreaterThan(0)
      expect(count(formatMoney(item.totalAmount, 'en'))).toBeGreaterThan(0)
    }
    expect(count(formatMoney('0.00025', 'en'))).toBe(499)
    expect(all[all.indexOf('Discount') + 1]).toBe('−$83.83200')
    expect(all).toContain(formatMoney(shown.amount, 'en'))
  })

  it('explains why a project is listed twice, and the limit of hours', async () => {
    const user = await world.user()
    const { id } = await invoiceOf(world, user, october)
    await addItems(id, 1)
    const { bytes } = await user.call(downloadInvoice, { params: { id } })
    const text = (await textsOf(bytes)).flat().join(' ')
    expect(text).toContain('Before October 1')
    expect(text).toContain('price of Website changed')
    expect(text).toContain('672 hours (28 days)')
  })

  it('prints several invoices at once, each with its own content', async () => {
    const user = await world.user()
    const stored = [await invoiceOf(world, user), await invoiceOf(world, user)]
    const files = await Promise.all(
      stored.map(({ id }) => user.call(downloadInvoice, { params: { id } })),
    )
    for (const [index, { bytes }] of files.entries())
      expect((await textsOf(bytes)).flat().join('\n')).toContain(`Invoice ID: ${stored[index]?.id}`)
  })

  it('names the customer as of the issue, also after a change of name', async () => {
    const user = await world.user({ name: 'Ada Example' })
    await usageOf(world, user, new Date('2026-10-03T00:00:00Z'), new Date('2026-10-04T00:00:00Z'))
    const [issued] = await issue(world.ctx, user.id, 'month')
    if (!issued) throw new Error('nothing was issued')
    await user.call(updateProfileName, { body: { name: 'Grace Example' } })
    const { bytes } = await user.call(downloadInvoice, { params: { id: issued.id } })
    const texts = (await textsOf(bytes)).flat()
    expect(texts).toContain('Ada Example')
    expect(texts).not.toContain('Grace Example')
  })

  it('allows thirty per user in the window, independently of other users', async () => {
    const [user, otherUser] = [await world.user(), await world.user()]
    const { id } = await invoiceOf(world, user)
    const get = () => user.call(downloadInvoice, { params: { id } })
    const outcomes = await Promise.all(Array.from({ length: 31 }, () => outcome(get())))
    expect(outcomes.filter((each) => each === 'ok')).toHaveLength(30)
    expect(outcomes.filter((each) => each === 'too_many_requests')).toHaveLength(1)
    const theirs = { params: { id: (await invoiceOf(world, otherUser)).id } }
    expect(await outcome(otherUser.call(downloadInvoice, theirs))).toBe('ok')
    world.clock.forward(serviceLimits.attemptWindow)
    expect(await outcome(get())).toBe('ok')
  })

  it('does not find another user’s invoice', async () => {
    const [user, stranger] = [await world.user(), await world.user()]
    const { id } = await invoiceOf(world, user)
    expect(await errorCodeOf(stranger.call(downloadInvoice, { params: { id } }))).toBe(
      'invoice_not_found',
    )
  })
})
