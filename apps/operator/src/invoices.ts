import type { InvoiceRun } from '@slipway/contract/products'
import { m } from '@slipway/phrases'
import type { Terminal } from '@slipway/terminal/terminal'
import { oneLine } from '@slipway/terminal/text'

/** The progress of an invoice run, which issues the invoices of all customers. */
export function formatInvoiceRun(run: InvoiceRun | null, { locale, ago }: Terminal): string[] {
  if (!run) return [m.operator_run_none({}, { locale })]
  const { customers, done, failed } = run
  const counts = { done, failed, customers: run.listed ? `${customers}` : `${customers}+` }
  const time = ago(run.createdAt)
  const sentence = run.state === 'running' ? m.operator_run_running : m.operator_run_finished
  return [
    sentence({ ...counts, time }, { locale }),
    ...run.failures.map(({ userId, reason }) => `${userId}  ${oneLine(reason)}`),
  ]
}
