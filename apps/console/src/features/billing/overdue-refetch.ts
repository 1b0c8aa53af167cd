import type { Invoice } from '@slipway/contract/invoices'
import { limits, minute, second } from '@slipway/contract/limits'

const shortest = 30 * second

/** Timers stop while a device sleeps: a longer one would end too late. */
const longest = 5 * minute

/**
 * When to refetch invoices, in milliseconds from `now`: no event announces that one becomes
 * overdue. False while none can become overdue.
 */
export function overdueRefetchInterval(invoices: readonly Invoice[], now: number): number | false {
  const dueTimes = invoices.flatMap(({ issuedAt, paidAt, overdue }) =>
    issuedAt === null || paidAt !== null || overdue
      ? []
      : [Date.parse(issuedAt) + limits.unpaidWarningAfter],
  )
  if (dueTimes.length === 0) return false
  const remaining = Math.min(...dueTimes) + second - now
  // The server decides; its clock may be behind this one.
  if (remaining <= 0) return shortest
  return Math.min(remaining, longest)
}
