import { day, hour, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'

/** From this age on, emails that are not queued are removed. */
export const emailRetention = 90 * day

/** Emails that one statement removes, or finds overdue. */
export const batchSize = 1000

/** About a day of attempts, to outlast an outage of the mail server. */
export const maxAttempts = 20

/** The time until an attempt whose process was killed counts as ended: longer than any attempt. */
export const attemptLease = 60 * second

/**
 * How long a job starts attempts for its recipient. Then other recipients of the lane get their
 * turn. With one more attempt it is shorter than the lifetime of a job.
 */
export const deliveryBudget = 20 * second

/**
 * An email that is overdue by this time gets another job: its process was killed, or its job waits
 * in a long queue.
 */
export const overdueAfter = 30 * second

/** The delay after the n-th failed attempt. */
export const retryDelay = (attempt: number) => Math.min(5 * second * 2 ** (attempt - 1), 2 * hour)

/** Concurrent attempts for one domain, and as many for emails of sites. */
export const lanesPerDomain = 3

/**
 * The lane of a recipient: emails in one lane are sent one at a time. Emails of sites have separate
 * lanes, so that none delays a code or an invoice.
 */
export function laneOf(recipient: string, projectId: ProjectId | null = null): string {
  const domain = recipient.split('@').at(-1) ?? ''
  const sum = Buffer.from(recipient).reduce((total, byte) => total + byte, 0)
  return `${projectId === null ? '' : 'site '}${domain} ${sum % lanesPerDomain}`
}
