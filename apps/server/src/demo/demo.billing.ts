import { getProfile } from '@slipway/contract/account'
import { listUnpaidInvoices, payInvoices } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { createPaymentMethod, listPaymentMethods } from '@slipway/contract/payment-methods'
import { changeDiscount, issueInvoices } from '@slipway/contract/products'
import { issue } from '../modules/invoices/issuing/issuing.ts'
import { ada, grace, operator, type Person } from './demo.people.ts'
import type { Moment, Stage } from './demo.stage.ts'

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
const addsCard = (at: Date, by: Person, cardNumber: string, months: number): Moment => ({
  at,
  async happens(stage) {
    const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
    const body = {
      ...billing,
      billingName: by.name,
      holderName: by.name,
      cardNumber,
      expireMonth: last.getUTCMonth() + 1,
      expireYear: last.getUTCFullYear(),
    }
    await (await stage.as(by))(createPaymentMethod, { body })
  },
})

/** The starts of the months since then, in UTC, when invoices are issued. */
function monthStarts(since: Date, until: Date) {
  const starts: Date[] = []
  for (let month = since.getUTCMonth() + 1; ; month++) {
    const start = new Date(Date.UTC(since.getUTCFullYear(), month))
    if (start >= until) return starts
    starts.push(start)
  }
}

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

const issuesMonth = (start: Date): Moment => ({
  at: after(start, 5 * minute),
  async happens({ ctx, as }) {
    for (const user of customers) {
      const { id } = await (await as(user))(getProfile)
      await issue(ctx, id, 'month')
    }
  },
})

/** Pays the unpaid invoices with the card at this index, or the last one. */
const pays = (at: Date, by: Person, card: number): Moment => ({
  at,
  async happens(stage) {
    const call = await stage.as(by)
    const unpaid = await call(listUnpaidInvoices)
    const cards = (await call(listPaymentMethods)).filter(({ expired }) => !expired)
    const paymentMethodId = (cards[card] ?? cards.at(-1))?.id
    if (unpaid.length === 0 || !paymentMethodId) return
    await call(payInvoices, { body: { invoiceIds: unpaid.map(({ id }) => id), paymentMethodId } })
  },
})

const lowersPrice = (at: Date): Moment => ({
  at,
  async happens(stage: Stage) {
    const body = { email: ada.email, productId: 'website', discount: '0.00250' } as const
    await (await stage.as(operator))(changeDiscount, { body })
  },
})

const issuesEarly = (at: Date, to: Person): Moment => ({
  at,
  async happens(stage) {
    const { id: userId } = await (await stage.as(to))(getProfile)
    await (await stage.as(operator))(issueInvoices, { body: { userId } })
  },
})

/**
 * Cards and invoices. Ada has paid all invoices but the last overdue one; Grace has paid all and
 * just got an early one.
 */
export function billingMoments(ago: Ago, now: Date): Moment[] {
  const months = monthStarts(ago(97 * day), now)
  const overdue = months.findLast((start) => after(start, day + hour) < now) ?? now
  const paid = months.filter((start) => start < overdue)
  return [
    addsCard(ago(92 * day), ada, visa, 30),
    addsCard(ago(70 * day), ada, troy, 0),
    addsCard(ago(60 * day), ada, masterCard, 17),
    addsCard(ago(83 * day), grace, masterCard, 22),
    lowersPrice(ago(50 * day)),
    ...months.map(issuesMonth),
    ...paid.map((start, index) => pays(after(start, 2 * day + 3 * hour), ada, index)),
    ...months.map((start) => pays(after(start, 20 * hour), grace, 0)),
    issuesEarly(ago(2 * hour), grace),
  ].filter(({ at }) => at < now)
}
