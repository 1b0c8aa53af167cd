import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type { getInvoiceRun, issueInvoices } from '@slipway/contract/products'
import type { UserContext } from '../../../context.ts'
import { problem } from '../../../problem.ts'
import * as account from '../../account/account.service.ts'
import { toResponse } from '../invoices.present.ts'
import { issue } from './issuing.ts'
import { newestRun, startRun } from './runs.ts'

/**
 * Issues invoices up to now, for an operator: directly for one user, or by a run for all, which
 * continues after the response. Throws `item_not_found` for an unknown user.
 */
export async function issueNow(
  ctx: UserContext,
  { userId }: InputOf<typeof issueInvoices>['body'],
): Promise<ResponseOf<typeof issueInvoices>> {
  if (userId === undefined) return { invoices: [], run: await startRun(ctx) }
  if (!(await account.find(ctx.db, userId))) throw problem('item_not_found')
  const issued = await issue(ctx, userId, 'now')
  return { invoices: issued.map((invoice) => toResponse(ctx, invoice)), run: null }
}

/** The progress of the last run for all users. */
export const progress = async (ctx: UserContext): Promise<ResponseOf<typeof getInvoiceRun>> => ({
  run: await newestRun(ctx),
})
