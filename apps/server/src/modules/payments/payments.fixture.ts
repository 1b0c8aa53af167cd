import { type InvoiceId, payInvoices } from '@slipway/contract/invoices'
import { money, toAmount } from '@slipway/contract/money'
import { and, eq, isNull } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import { newId } from '../../db/ids.ts'
import type { Charge, PaymentGateway } from '../../engines/payments/gateway.ts'
import { sandboxCharges } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { hearAnnouncements } from '../../testing/announcements.ts'
import { until } from '../../testing/until.ts'
import type { TestUser, World } from '../../testing/world.ts'
import { invoiceOf } from '../invoices/invoices.fixture.ts'
import { invoices } from '../invoices/invoices.schema.ts'
import {
  billing,
  cardOf,
  replaceGateway,
  visa,
} from '../payment-methods/payment-methods.fixture.ts'
import { paymentInvoices, payments } from './payments.schema.ts'

/** Somebody with a card and so many unpaid invoices, the first of 12.50 dollars, each next one as much more. */
export async function payer(
  world: World,
  { count = 1, cardNumber = visa, ...person }: Who & { count?: number; cardNumber?: string } = {},
) {
  const who = await world.user(person)
  const card = await cardOf(who, { cardNumber })
  const invoiceIds: InvoiceId[] = []
  for (let place = 1; place <= count; place++)
    invoiceIds.push((await invoiceOf(world, who, { amount: `${place * 125}e-1` })).id)
  const body = { invoiceIds, paymentMethodId: card.id }
  return { ...who, card, invoiceIds, body, pay: () => who.call(payInvoices, { body }) }
}
type Who = NonNullable<Parameters<World['user']>[0]>
export type Payer = Awaited<ReturnType<typeof payer>>

/** What was mailed to the person, by kind, and never twice. */
export const letters = async (world: World, { email }: Pick<Payer, 'email'>) =>
  (await world.mailsTo(email)).map(({ key }) => key.split(':')[0])

/** The invoice of somebody who has one. */
export function onlyInvoice({ invoiceIds: [id] }: Payer): InvoiceId {
  if (!id) throw new Error('an invoice is needed')
  return id
}

/** Stores a payment of the person that was charged too late, as if it had come to that. */
export async function refundOf(
  { ctx, clock }: Pick<World, 'ctx' | 'clock'>,
  person: Pick<TestUser, 'id' | 'call'>,
): Promise<typeof payments.$inferSelect> {
  const { id: paymentMethodId, cardAssoc, lastDigits } = await cardOf(person)
  const now = clock.now()
  const [payment] = await ctx.db
    .insert(payments)
    .values({
      id: newId<'Payment'>(),
      userId: person.id,
      paymentMethodId,
      gateway: 'sandbox',
      paidWith: { cardAssoc, lastDigits },
      billedTo: billing,
      amount: toAmount(money('12.5')),
      chargedAmount: '12.50',
      state: 'failed',
      failure: 'charged_late',
      chargeId: newId(),
      locale: 'en',
      createdAt: now,
      updatedAt: now,
      settledAt: now,
      refundDueAt: now,
    })
    .returning()
  if (!payment) throw new Error('the payment was not stored')
  return payment
}

/** What the sandbox has charged cards for: the ledger that nothing of ours writes. */
const ledger = ({ ctx }: Pick<World, 'ctx'>) =>
  ctx.db.select().from(sandboxCharges).where(isNull(sandboxCharges.failure))

/** What the sandbox has charged for any payment of that person. */
export async function chargesOf({ ctx }: Pick<World, 'ctx'>, { id }: Pick<TestUser, 'id'>) {
  const theirs = await paymentsOf({ ctx }, { id })
  const ids = new Set<string>(theirs.map((payment) => payment.id))
  return (await ledger({ ctx })).filter((charge) => ids.has(charge.idempotencyKey))
}

/** The payments of that person, the oldest first. */
export const paymentsOf = ({ ctx }: Pick<World, 'ctx'>, { id }: Pick<TestUser, 'id'>) =>
  ctx.db.select().from(payments).where(eq(payments.userId, id)).orderBy(payments.id)

/** The one payment of that person. */
export async function paymentOf(world: Pick<World, 'ctx'>, person: Pick<TestUser, 'id'>) {
  const [payment, ...others] = await paymentsOf(world, person)
  if (!payment || others.length > 0) throw new Error(`${others.length + 1} or no payments`)
  return payment
}

/** The state of an invoice, its payment and whether it is paid. */
export async function invoiceState({ ctx }: Pick<World, 'ctx'>, id: InvoiceId) {
  const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, id))
  if (!invoice) throw new Error('the invoice is gone')
  const { paymentState: state, paymentFailure: failure, paidAt } = invoice
  return { state, failure, paid: paidAt !== null }
}

/** The payments that charge the invoice, or may. */
export async function livePaymentsOf({ ctx }: Pick<World, 'ctx'>, id: InvoiceId) {
  const live = await ctx.db
    .select({ id: paymentInvoices.paymentId })
    .from(paymentInvoices)
    .where(and(eq(paymentInvoices.invoiceId, id), eq(paymentInvoices.live, true)))
  return live.map((row) => row.id)
}

/** Lets the gateway do some calls otherwise until the test ends; gives what it does by itself. */
export function gatewayThat(
  { app }: Pick<World, 'app'>,
  make: (gateway: PaymentGateway) => Partial<PaymentGateway>,
) {
  const { restore } = replaceGateway({ app }, make(app.ctx.paymentGateway))
  onTestFinished(restore)
  return { restore }
}

/** The gateway charges, and its answer does not arrive: as if the caller had been killed then. */
export const chargesSilently =
  ({ ctx }: Pick<World, 'ctx'>) =>
  (gateway: PaymentGateway) => ({
    async charge(charge: Charge) {
      const hangingUp = new AbortController()
      const call = gateway.charge(charge, hangingUp.signal)
      call.catch(() => undefined)
      await until(async () => {
        const key = eq(sandboxCharges.idempotencyKey, charge.idempotencyKey)
        return (await ctx.db.$count(sandboxCharges, key)) > 0
      })
      hangingUp.abort()
      await call.catch(() => undefined)
      throw new Error('the answer has not arrived')
    },
  })

/** The gateway is not reached: as if the caller had been killed before the call. */
export const isNotReached = () => ({
  charge: () => Promise.reject(new Error('the gateway is not reached')),
})

/** The gateway is reached only once `go` is called: as if the caller had stood still before the call. */
export function standStill(world: Pick<World, 'app'>) {
  const going = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const { restore } = gatewayThat(world, (gateway) => ({
    async charge(charge, signal) {
      reached.resolve()
      await going.promise
      return gateway.charge(charge, signal)
    },
  }))
  onTestFinished(() => going.resolve())
  return { reached: reached.promise, go: () => going.resolve(), restore }
}

/** Hears what is announced until the test ends. */
export async function announcements(world: World) {
  const heard = await hearAnnouncements(world.database.options)
  onTestFinished(() => heard.close())
  return heard
}

/** The event that an invoice changed. */
export const updated = (invoiceId: string) => ({
  kind: 'Invoice',
  data: { type: 'Updated', invoiceId },
})
