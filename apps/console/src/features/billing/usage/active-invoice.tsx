import type { ActiveInvoice as Invoice } from '@slipway/contract/invoices'
import { minute } from '@slipway/contract/limits'
import { money } from '@slipway/contract/money'
import { formatPeriod, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { activeInvoiceQuery } from '../../../api/queries.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Card } from '../../../ui/card.tsx'
import { BarsSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { ActiveInvoiceItems, ActiveInvoiceItemsSkeleton } from './active-invoice-items.tsx'
import { CostChart } from './cost-chart.tsx'
import { Legend } from './cost-chart-drawing.tsx'
import { UsageByProduct } from './usage-by-product.tsx'

/** No event announces that a billed hour begins. */
const refetchInterval = 5 * minute

const Period = ({ createdAt, endsAt }: Invoice) => (
  <p className="text-muted">
    {m.invoices_active_period_utc({ period: formatPeriod(createdAt, endsAt, getLocale()) })}
  </p>
)

/** A past period whose invoice is not issued yet, so it is in no list. */
const PendingInvoice = ({ period }: { period: NonNullable<Invoice['awaiting']> }) => (
  <Alert kind="info">
    {m.invoices_awaiting({ period: formatPeriod(period.createdAt, period.endsAt, getLocale()) })}
  </Alert>
)

function Running({ invoice }: { invoice: Invoice }) {
  // Right after an invoice is issued there are no items; a forecast means that projects run.
  if (invoice.items.length === 0 && money(invoice.expected).eq(0))
    return (
      <Card title={m.invoices_active_title()}>
        <EmptyState
          inCard
          title={m.invoices_active_empty()}
          action={<ButtonLink to={paths.createProject()}>{m.invoices_active_create()}</ButtonLink>}
        >
          {m.invoices_active_empty_hint()}
        </EmptyState>
      </Card>
    )
  return (
    <Card title={m.invoices_active_title()} actions={<Period {...invoice} />}>
      <div className="grid gap-6">
        <CostChart {...invoice} />
        {/* The total of a single product is below the projects. */}
        {invoice.usage.length > 1 && <UsageByProduct usage={invoice.usage} />}
        {invoice.items.length > 0 && <ActiveInvoiceItems {...invoice} />}
      </div>
    </Card>
  )
}

export function ActiveInvoice() {
  const query = useQuery({ ...activeInvoiceQuery, refetchInterval: refetchInterval })
  const view = (
    <QueryView
      inCard
      query={query}
      item={m.invoices_overview_item_active()}
      loading={<ActiveInvoiceSkeleton />}
    >
      {(invoice) => (
        <>
          {invoice.awaiting && <PendingInvoice period={invoice.awaiting} />}
          <Running invoice={invoice} />
        </>
      )}
    </QueryView>
  )
  // An error has no card of its own.
  if (query.isError && !query.data) return <Card title={m.invoices_active_title()}>{view}</Card>
  return view
}

export const ActiveInvoiceSkeleton = () => (
  <Card title={m.invoices_active_title()} actions={<Skeleton className="w-48" />}>
    <div className="grid gap-6">
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="font-medium">{m.invoices_active_chart()}</p>
          <Legend />
        </div>
        <BarsSkeleton />
        <p className="flex h-4 justify-between">
          <Skeleton className="w-10" />
          <Skeleton className="w-10" />
        </p>
      </div>
      <ActiveInvoiceItemsSkeleton />
    </div>
  </Card>
)
