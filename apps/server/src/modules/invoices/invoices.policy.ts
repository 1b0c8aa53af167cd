import { limits } from '@slipway/contract/limits'

/** Unpaid invoices issued before this time are overdue at `now`. */
export const overdueIfIssuedBefore = (now: Date) =>
  new Date(now.getTime() - limits.unpaidWarningAfter)

export const dueAt = (issuedAt: Date) => new Date(issuedAt.getTime() + limits.unpaidWarningAfter)

/** True for an invoice that is unpaid more than 24 hours after its issue. */
export const isOverdue = (
  { issuedAt, paidAt }: { issuedAt: Date; paidAt: Date | null },
  now: Date,
) => paidAt === null && issuedAt < overdueIfIssuedBefore(now)
