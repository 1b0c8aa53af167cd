import type { Amount } from '@slipway/contract/amount'
import type { InvoiceId } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { newId } from '../../db/ids.ts'
import type { TestUser, World } from '../../testing/world.ts'
import { invoiceItems, invoices } from './invoices.schema.ts'

const zero = toAmount(money('0'))

/**
 * Stores an issued invoice of the user, for one hour of one project of the user's own team. Each
 * invoice is for the day before those stored earlier, unless `startsAt` is set.
 */
export async function invoiceOf(
  { ctx, clock, project }: Pick<World, 'ctx' | 'clock' | 'project'>,
  { id: userId, teamId }: Pick<TestUser, 'id' | 'teamId'>,
  {
    amount = '12.50000',
    projectName = 'Example site',
    ...values
  }: Partial<Omit<typeof invoices.$inferInsert, 'amount'>> & {
    amount?: string
    projectName?: string
  } = {},
): Promise<typeof invoices.$inferSelect> {
  const earlierCount = await ctx.db.$count(invoices)
  const startsAt = values.startsAt ?? new Date(clock.now().getTime() - (earlierCount + 31) * day)
  const total: Amount = toAmount(money(amount))
  const { id: projectId, key } = await project({ teamId, name: projectName, state: 'deleted' })
  return ctx.write(async (tx) => {
    const [invoice] = await tx
      .insert(invoices)
      .values({
        id: newId<'Invoice'>() as InvoiceId,
        userId,
        startsAt,
        endsAt: new Date(startsAt.getTime() + day),
        issuedAt: clock.now(),
        ...(values.paidAt ? { paymentState: 'succeeded' } : {}),
        ...values,
        amount: total,
      })
      .returning()
    if (!invoice) throw new Error('the invoice was not stored')
    await tx.insert(invoiceItems).values({
      id: newId<'InvoiceItem'>(),
      invoiceId: invoice.id,
      projectId,
      projectKey: key,
      projectName,
      productId: 'website',
      productNames: { en: 'Website', tr: 'Web sitesi' },
      price: total,
      discount: null,
      runningHours: 1,
      amount: total,
      discountAmount: zero,
      totalAmount: total,
      startsAt,
      createdAt: clock.now(),
    })
    return invoice
  })
}
