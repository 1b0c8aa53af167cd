import { type InvoiceId, payInvoices } from '@slipway/contract/invoices'
import { money, toAmount } from '@slipway/contract/money'
import { and, eq, isNull } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import { newId } from '../../db/ids.ts'
import type { Charge, PaymentGateway } from '../../engines/payments/gateway.ts'
import { sandboxCharges } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { recordEvents } from '../../testing/event-recorder.ts'
import { until } from '../../testing/until.ts'
import type { TestUser, World } from '../../testing/world.ts'
import { invoiceOf } from '../invoices/invoices.fixture.ts'
import { invoices } from '../invoices/invoices.schema.ts'
import {
  billingFields,
  cardOf,
  replaceGateway,
  visa,
} from '../payment-methods/payment-methods.fixture.ts'
import { paymentInvoices, payments } from './payments.schema.ts'

/** A user with a card and `count` unpaid invoices, of 12.50 dollars, 25 dollars and so on. */
export async function payer(
  world: World,
  {
    count = 1,
    cardNumber = visa,
    ...options
  }: UserOptions & { count?: number; cardNumber?: string } = {},
) {
  const user = await world.user(options)
  const card = await cardOf(user, { cardNumber })
  const invoiceIds: InvoiceId[] = []
  for (let number = 1; number <= count; number++)
    invoiceIds.push((await invoiceOf(world, user, { amount: `${number * 125}e-1` })).id)
  const body = { invoiceIds, paymentMethodId: card.id }
  return { ...user, card, invoiceIds, body, pay: () => user.call(payInvoices, { body }) }
}
type UserOptions = NonNullable<Parameters<World['user']>[0]>
export type Payer = Awaited<ReturnType<typeof payer>>

/** The kinds of the emails to a user, such as `payment-receipt`. */
export const emailKinds = async (world: World, { email }: Pick<Payer, 'email'>) =>
  (await world.mailsTo(email)).map(({ key }) => key.split(':')[0])

export function onlyInvoice({ invoiceIds: [id] }: Payer): InvoiceId {
  if (!id) throw new Error('an invoice is needed')
  return id
}

/** Stores a payment of the user with a late charge that must be refunded. */
export async function refundOf(
  { ctx, clock }: Pick<World, 'ctx' | 'clock'>,
  user: Pick<TestUser, 'id' | 'call'>,
): Promise<typeof payments.$inferSelect> {
  const { id: paymentMethodId, cardAssoc, lastDigits } = await cardOf(user)
  const now = clock.now()
  const [payment] = await ctx.db
    .insert(payments)
    .values({
      id: newId<'Payment'>(),
      userId: user.id,
      paymentMethodId,
      gateway: 'sandbox',
      paidWith: { cardAssoc, lastDigits },
      billedTo: billingFields,
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

/** The successful charges in the sandbox's own ledger. */
const ledger = ({ ctx }: Pick<World, 'ctx'>) =>
  ctx.db.select().from(sandboxCharges).where(isNull(sandboxCharges.failure))

export async function chargesOf({ ctx }: Pick<World, 'ctx'>, { id }: Pick<TestUser, 'id'>) {
  const userPayments = await paymentsOf({ ctx }, { id })
  const ids = new Set<string>(userPayments.map((payment) => payment.id))
  return (await ledger({ ctx })).filter((charge) => ids.has(charge.idempotencyKey))
}

/** The user's payments, oldest first. */
export const paymentsOf = ({ ctx }: Pick<World, 'ctx'>, { id }: Pick<TestUser, 'id'>) =>
  ctx.db.select().from(payments).where(eq(payments.userId, id)).orderBy(payments.id)

export async function paymentOf(world: Pick<World, 'ctx'>, user: Pick<TestUser, 'id'>) {
  const [payment, ...others] = await paymentsOf(world, user)
  if (!payment || others.length > 0) throw new Error(`${others.length + 1} or no payments`)
  return payment
}

export async function invoiceState({ ctx }: Pick<World, 'ctx'>, id: InvoiceId) {
  const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, id))
  if (!invoice) throw new Error('the invoice is gone')
  const { paymentState: state, paymentFailure: failure, paidAt } = invoice
  return { state, failure, paid: paidAt !== null }
}

export async function livePaymentsOf({ ctx }: Pick<World, 'ctx'>, id: InvoiceId) {
  const live = await ctx.db
    .select({ id: paymentInvoices.paymentId })
    .from(paymentInvoices)
    .where(and(eq(paymentInvoices.invoiceId, id), eq(paymentInvoices.live, true)))
  return live.map((row) => row.id)
}

/** Overrides some of the gateway's functions until the test ends. */
export function overrideGateway(
  { app }: Pick<World, 'app'>,
  make: (gateway: PaymentGateway) => Partial<PaymentGateway>,
) {
  const { restore } = replaceGateway({ app }, make(app.ctx.paymentGateway))
  onTestFinished(restore)
  return { restore }
}

/** A gateway that charges without responding, as if the process had been killed. */
export const chargeWithoutResponse =
  ({ ctx }: Pick<World, 'ctx'>) =>
  (gateway: PaymentGateway) => ({
    async charge(charge: Charge) {
      const controller = new AbortController()
      const call = gateway.charge(charge, controller.signal)
      call.catch(() => undefined)
      await until(async () => {
        const key = eq(sandboxCharges.idempotencyKey, charge.idempotencyKey)
        return (await ctx.db.$count(sandboxCharges, key)) > 0
      })
      controller.abort()
      await call.catch(() => undefined)
      throw new Error('the response has not arrived')
    },
  })

/** A gateway that cannot be reached, as if the process had been killed before the call. */
export const unreachable = () => ({
  charge: () => Promise.reject(new Error('the gateway is unreachable')),
})

/** Pauses each charge before the gateway's work until `resume`, as if the process had stalled. */
export function pauseCharge(world: Pick<World, 'app'>) {
  const resuming = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const { restore } = overrideGateway(world, (gateway) => ({
    async charge(charge, signal) {
      reached.resolve()
      await resuming.promise
      return gateway.charge(charge, signal)
    },
  }))
  onTestFinished(() => resuming.resolve())
  return { reached: reached.promise, resume: () => resuming.resolve(), restore }
}

export async function listenToEvents(world: World) {
  const listener = await recordEvents(world.database.options)
  onTestFinished(() => listener.close())
  return listener
}

export const updated = (invoiceId: string) => ({
  kind: 'Invoice',
  data: { type: 'Updated', invoiceId },
})
