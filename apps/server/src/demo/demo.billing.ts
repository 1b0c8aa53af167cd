import { getProfile } from '@slipway/contract/account'
import { listUnpaidInvoices, payInvoices } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { changeDiscount, issueInvoices } from '@slipway/contract/products'
import { issue } from '../modules/invoices/issuing/issuing.ts'
import type { DemoContext, DemoStep } from './demo.context.ts'
import { ada, grace, operator, type Person } from './demo.people.ts'

type Ago = (age: number) => Date

const customers = [ada, grace]

/** Test numbers of the card associations. */
const visa = '4242424242424242'
const masterCard = '5555555555554444'
const troy = '9792030394440796'

const billing = {
  billingName: 'Ada Example',
  address: 'Old Harbour 1',
  district: 'Kadıköy',
  city: 'İstanbul',
  country: 'Turkey',
} as const

/** Adds a card that expires this many months after the month it is added in. */
const addCard = (time: Date, user: Person, cardNumber: string, months: number): DemoStep => ({
  time,
  async run(demo) {
    const last = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months))
    const body = {
      ...billing,
      billingName: user.name,
      holderName: user.name,
      cardNumber,
      expireMonth: last.getUTCMonth() + 1,
      expireYear: last.getUTCFullYear(),
    }
    await (await demo.as(user))(createPaymentMethod, { body })
  },
})

/** The starts of the months between two times, in UTC, when invoices are issued. */
function monthStarts(since: Date, until: Date) {
  const starts: Date[] = []
  for (let month = since.getUTCMonth() + 1; ; month++) {
    const start = new Date(Date.UTC(since.getUTCFullYear(), month))
    if (start >= until) return starts
    starts.push(start)
  }
}

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

const issueMonth = (start: Date): DemoStep => ({
  time: after(start, 5 * minute),
  async run({ ctx, as }) {
    for (const user of customers) {
      const { id } = await (await as(user))(getProfile)
      await issue(ctx, id, 'month')
    }
  },
})

/** Pays the unpaid invoices with the card at this index, or the last one. */
const payUnpaid = (time: Date, user: Person, card: number): DemoStep => ({
  time,
  async run(demo) {
    const call = await demo.as(user)
    const unpaid = await call(listUnpaidInvoices)
    const cards = (await call(listPaymentMethods)).filter(({ expired }) => !expired)
    const paymentMethodId = (cards[card] ?? cards.at(-1))?.id
    if (unpaid.length === 0 || !paymentMethodId) return
    await call(payInvoices, { body: { invoiceIds: unpaid.map(({ id }) => id), paymentMethodId } })
  },
})

const lowerPrice = (time: Date): DemoStep => ({
  time,
  async run(demo: DemoContext) {
    const body = { email: ada.email, productId: 'website', discount: '0.00250' } as const
    await (await demo.as(operator))(changeDiscount, { body })
  },
})

const issueEarly = (time: Date, to: Person): DemoStep => ({
  time,
  async run(demo) {
    const { id: userId } = await (await demo.as(to))(getProfile)
    await (await demo.as(operator))(issueInvoices, { body: { userId } })
  },
})

/**
 * Cards and invoices. Ada has paid all invoices but the last overdue one; Grace has paid all and
 * just got an early one.
 */
export function billingSteps(ago: Ago, now: Date): DemoStep[] {
  const months = monthStarts(ago(97 * day), now)
  const overdue = months.findLast((start) => after(start, day + hour) < now) ?? now
  const paid = months.filter((start) => start < overdue)
  return [
    addCard(ago(92 * day), ada, visa, 30),
    addCard(ago(70 * day), ada, troy, 0),
    addCard(ago(60 * day), ada, masterCard, 17),
    addCard(ago(83 * day), grace, masterCard, 22),
    lowerPrice(ago(50 * day)),
    ...months.map(issueMonth),
    ...paid.map((start, index) => payUnpaid(after(start, 2 * day + 3 * hour), ada, index)),
    ...months.map((start) => payUnpaid(after(start, 20 * hour), grace, 0)),
    issueEarly(ago(2 * hour), grace),
  ].filter(({ time }) => time < now)
}
