import { limits } from '@slipway/contract/limits'

/** True for an invoice that is unpaid more than 24 hours after its issue. */
export const isOverdue = (
  { issuedAt, paidAt }: { issuedAt: Date; paidAt: Date | null },
  now: Date,
) => paidAt === null && now.getTime() - issuedAt.getTime() > limits.unpaidWarningAfter
