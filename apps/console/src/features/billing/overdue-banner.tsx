import type { Invoice } from '@slipway/contract/invoices'
import { sumAmounts } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Alert } from '../../ui/alert.tsx'
import { chargedText, dueDay } from './billing-figures.ts'

/** Warns of invoices that are unpaid for over 24 hours and have no payment in progress. */
export function OverdueBanner({ unpaid }: { unpaid: readonly Invoice[] }) {
  const overdue = unpaid.filter(
    (invoice) => invoice.overdue && invoice.payment?.state !== 'in_progress',
  )
  if (overdue.length === 0) return null
  return (
    <Alert
      kind="failure"
      actions={
        <ButtonLink variant="primary" to={paths.payInvoices()}>
          {m.invoices_overview_pay()}
        </ButtonLink>
      }
    >
      {m.invoices_overview_overdue({
        count: overdue.length,
        day: dueDay(overdue),
        amount: chargedText(sumAmounts(overdue.map(({ amount }) => amount))),
      })}
    </Alert>
  )
}
