import type { Invoice } from '@slipway/contract/invoices'
import { sumAmounts } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { chargedText } from './billing-figures.ts'

/** Warns of invoices that are unpaid for over 24 hours and have no payment in progress. */
export function OverdueBanner({ unpaid }: { unpaid: readonly Invoice[] }) {
  const overdue = unpaid.filter(
    (invoice) => invoice.overdue && invoice.payment?.state !== 'in_progress',
  )
  if (overdue.length === 0) return null
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-md border border-danger/30 bg-danger-soft px-4 py-3"
    >
      <div className="flex min-w-60 flex-1 items-start gap-2">
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
        <p className="min-w-0 flex-1">
          {m.invoices_overview_overdue({
            count: overdue.length,
            amount: chargedText(sumAmounts(overdue.map(({ amount }) => amount))),
          })}
        </p>
      </div>
      <ButtonLink variant="primary" to={paths.payInvoices()}>
        {m.invoices_overview_pay()}
      </ButtonLink>
    </div>
  )
}
