import type { Invoice } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/link.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { amountText } from './billing-figures.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'
import { InvoiceStateBadge } from './invoice-state-badge.tsx'
import { failureOf } from './invoice-states.ts'

const columns = (): Column<Invoice>[] => [
  {
    key: 'start',
    header: m.invoices_start_date(),
    cell: ({ id, createdAt }) => (
      <TextLink to={paths.invoice(id)}>
        <InvoiceStart value={createdAt} />
      </TextLink>
    ),
    primary: true,
    skeleton: 'w-24',
  },
  {
    key: 'issued',
    header: m.invoices_issue_date(),
    cell: ({ issuedAt }) => issuedAt && <InvoiceDay value={issuedAt} />,
    skeleton: 'w-24',
  },
  {
    key: 'amount',
    header: m.invoices_amount(),
    cell: ({ amount }) => amountText(amount),
    align: 'end',
    skeleton: 'w-24',
  },
  {
    key: 'paid',
    header: m.invoices_paid(),
    cell: (invoice) => <PaidCell invoice={invoice} />,
    skeleton: 'w-32',
  },
]

/** The state, with when it was paid or why it was not. */
function PaidCell({ invoice }: { invoice: Invoice }) {
  const failure = failureOf(invoice)
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <InvoiceStateBadge invoice={invoice} />
      {invoice.paidAt && <InvoiceDay value={invoice.paidAt} />}
      {failure && <span className="text-muted">{failure}</span>}
    </span>
  )
}

export const InvoiceTable = ({ invoices }: { invoices: readonly Invoice[] }) => (
  <>
    <Table
      caption={m.invoices_caption()}
      columns={columns()}
      rows={invoices}
      rowKey={({ id }) => id}
    />
    <DatesInUtc />
  </>
)

export const InvoiceTableSkeleton = () => (
  <TableSkeleton caption={m.invoices_caption()} columns={columns()} rows={5} />
)
