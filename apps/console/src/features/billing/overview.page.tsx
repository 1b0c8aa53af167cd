import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { activeInvoiceQuery } from '../../api/queries.ts'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { AmountDue, AmountDueSkeleton } from './amount-due.tsx'
import { BillingTabs } from './billing-tabs.tsx'
import { useUnpaidInvoices } from './invoices/invoice-queries.ts'
import { OverdueBanner } from './overdue-banner.tsx'
import { PaymentMethods } from './payment-methods/payment-methods.tsx'
import { ActiveInvoice, ActiveInvoiceSkeleton } from './usage/active-invoice.tsx'

export function Page() {
  const unpaid = useUnpaidInvoices()
  const active = useQuery(activeInvoiceQuery)
  // A failed query does not delay the rest of the page.
  const isLoading = [unpaid, active].some((query) => query.isPending && query.failureCount === 0)
  return (
    <PageFrame tabs={<BillingTabs />}>
      <QueryView
        query={unpaid}
        item={m.invoices_overview_item_unpaid()}
        loading={<AmountDueSkeleton />}
      >
        {(invoices) => (
          <>
            <OverdueBanner unpaid={invoices} />
            <AmountDue unpaid={invoices} />
          </>
        )}
      </QueryView>
      {/* Waits for the banner, so that nothing below it moves down. */}
      {unpaid.isPending ? <ActiveInvoiceSkeleton /> : <ActiveInvoice />}
      {/* After the usage: its height is unknown until loaded, and cards below would shift. */}
      {!isLoading && <PaymentMethods />}
    </PageFrame>
  )
}
