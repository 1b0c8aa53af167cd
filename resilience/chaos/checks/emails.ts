import type { PastFault } from '../faults/run-faults.ts'
import type { Product } from '../product/product.ts'
import { violationsOf } from './violation.ts'

/**
 * The longest time that PostgreSQL and the worker need to recover from a fault, on a busy machine.
 */
const maxRecoveryMs = 30_000

/**
 * A worker sends an email and then marks it as sent. A fault between the two steps makes the next
 * worker send it again, because SMTP cannot say whether an email was accepted (RFC 5321 §4.5.4.1).
 */
const explainsDuplicate = (fault: PastFault, from: number, to: number) =>
  fault.from <= to &&
  fault.to + maxRecoveryMs >= from &&
  /process|worker|clock|PostgreSQL/.test(fault.name)

/** Compares the outbox with the emails that the mail server accepted and rejected. */
export async function checkEmails(
  { database: { pool }, mailServer: { accepted, rejected } }: Product,
  faults: readonly PastFault[],
) {
  const { rows } = await pool.query<{ id: string; state: string; lastError: string | null }>(
    'select id, state, last_error as "lastError" from mails',
  )
  const descriptions: string[] = []
  let repeated = 0
  for (const { id, state, lastError } of rows) {
    const copies = accepted.filter((mail) => mail.id === id)
    const isRejected = state === 'failed' && rejected.some((mail) => mail.id === id)
    if (copies.length === 0 && !isRejected)
      descriptions.push(`email ${id} is ${state} and was never received: ${lastError}`)
    const [first, ...others] = copies
    for (const copy of others) {
      repeated++
      if (
        first &&
        !faults.some((fault) => explainsDuplicate(fault, first.acceptedAt, copy.acceptedAt))
      )
        descriptions.push(`email ${id} was sent again without a fault`)
    }
  }
  return {
    violations: violationsOf('emails lost or sent twice', descriptions),
    total: rows.length,
    repeated,
    failed: rows.filter(({ state }) => state === 'failed').length,
  }
}
