import { m } from '@slipway/phrases'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { BillingTabs } from './billing-tabs.tsx'
import { useUnpaidInvoices } from './invoices/invoice-queries.ts'
import { OverdueBanner } from './overdue-banner.tsx'
import { PaymentMethods } from './payment-methods/payment-methods.tsx'
import { ActiveInvoice, ActiveInvoiceSkeleton } from './usage/active-invoice.tsx'

export function Page() {
  const unpaid = useUnpaidInvoices()
  return (
    <PageFrame tabs={<BillingTabs />}>
      <QueryView query={unpaid} item={m.invoices_overview_item_unpaid()} loading={null}>
        {(invoices) => <OverdueBanner unpaid={invoices} />}
      </QueryView>
      {/* Waits for the banner, so that nothing below it moves down. */}
      {unpaid.isPending ? <ActiveInvoiceSkeleton /> : <ActiveInvoice />}
      <PaymentMethods />
    </PageFrame>
  )
}
