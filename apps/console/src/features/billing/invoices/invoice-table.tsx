import type { Invoice, InvoiceSortKey } from '@slipway/contract/invoices'
import { formatPeriod, formatPeriodName, formatUtcDate, getLocale, m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import CreditCard from 'lucide-react/icons/credit-card'
import { paths } from '../../../paths.ts'
import { skeletonRows } from '../../../shell/lists/list-lengths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { NameSkeleton } from '../../../ui/name-skeleton.tsx'
import { Table, TableSkeleton } from '../../../ui/table/table.tsx'
import type { TableSort } from '../../../ui/table/table-head.tsx'
import { type Column, rowLinkClass } from '../../../ui/table/table-parts.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { Amount } from '../amount.tsx'
import { chargedText, isRounded } from '../billing-figures.ts'
import { DatesInUtc, InvoiceDay, InvoiceStart } from './invoice-dates.tsx'
import { InvoiceStateBadge } from './invoice-state-badge.tsx'
import { failureText, isPayable } from './invoice-states.ts'

/** The keys of the columns are the contract's sort keys, because the server sorts the invoices. */
const sortedColumns = (): (Column<Invoice> & { key: InvoiceSortKey })[] => [
  {
    key: 'start',
    width: 19,
    header: m.invoices_start_date(),
    sortBy: 'server',
    cell: (invoice) => <StartCell invoice={invoice} />,
    primary: true,
    skeleton: <NameSkeleton />,
  },
  {
    key: 'issued',
    width: 14,
    header: m.invoices_issue_date(),
    sortBy: 'server',
    cell: ({ issuedAt }) => issuedAt && <InvoiceDay value={issuedAt} />,
    skeleton: 'w-24',
  },
  {
    key: 'amount',
    width: 15,
    header: m.invoices_amount(),
    sortBy: 'server',
    cell: ({ amount }) => <AmountCell amount={amount} />,
    align: 'end',
    inCompact: true,
    skeleton: 'w-24',
  },
  {
    key: 'paid',
    width: 32,
    header: m.invoices_paid(),
    sortBy: 'server',
    cell: (invoice) => <PaidCell invoice={invoice} />,
    inCompact: true,
    skeleton: 'w-32',
  },
]

/** The start, on a phone the month; the number; and on a phone why the last payment failed. */
function StartCell({ invoice }: { invoice: Invoice }) {
  const isPhone = useIsPhone()
  const { id, number, createdAt, endsAt } = invoice
  const failure = isPhone && failureText(invoice)
  return (
    <>
      <Link to={paths.invoice(id)} className={classNames('rounded-md', rowLinkClass)}>
        {isPhone ? (
          formatPeriodName(createdAt, endsAt, getLocale())
        ) : (
          <InvoiceStart value={createdAt} />
        )}
      </Link>
      {number !== null && (
        <span className="block text-xs font-normal whitespace-nowrap text-muted">{number}</span>
      )}
      {failure && <span className="block text-xs font-normal text-muted">{failure}</span>}
    </>
  )
}

/** The amount with five decimals, and what a card is charged for it. */
const AmountCell = ({ amount }: Pick<Invoice, 'amount'>) => (
  <>
    <Amount value={amount} />
    {isRounded(amount) && (
      <span className="block text-xs text-muted">
        {m.invoices_amount_rounded({ amount: chargedText(amount) })}
      </span>
    )}
  </>
)

export const invoiceColumns = (): Column<Invoice>[] => [
  ...sortedColumns(),
  {
    key: 'actions',
    width: 20,
    header: m.invoices_actions(),
    cell: (invoice) => isPayable(invoice) && <PayLink invoice={invoice} />,
    actions: true,
    inCompact: true,
    below: true,
    skeleton: 'w-24',
  },
]

/** A link that does not make the row higher. A phone has it below the row's name. */
const PayLink = ({ invoice }: { invoice: Invoice }) => (
  <span className="relative -my-1 max-sm:grid max-sm:flex-1">
    <ButtonLink icon={CreditCard} to={paths.payInvoices()} search={{ invoice: invoice.id }}>
      {m.invoices_make_payment()}
      <VisuallyHidden>
        : {formatPeriod(invoice.createdAt, invoice.endsAt, getLocale())}
      </VisuallyHidden>
    </ButtonLink>
  </span>
)

/** Beside the number of the invoice, on a phone. */
const phonePaidStyle = { justifyContent: 'flex-end', maxWidth: 'calc(100vw - 11rem)' }

/** The state, and the date of payment or why it failed, which a phone shows below the number. */
function PaidCell({ invoice }: { invoice: Invoice }) {
  const isPhone = useIsPhone()
  const failure = !isPhone && failureText(invoice)
  return (
    <span
      className="inline-flex flex-wrap items-center gap-x-3 gap-y-1"
      style={isPhone ? phonePaidStyle : undefined}
    >
      {isPhone || <InvoiceStateBadge invoice={invoice} />}
      {invoice.paidAt &&
        (isPhone ? (
          <span className="text-xs text-muted">
            {m.invoices_paid_on({
              day: formatUtcDate(invoice.paidAt, getLocale(), { month: 'short', year: true }),
            })}
          </span>
        ) : (
          <InvoiceDay value={invoice.paidAt} />
        ))}
      {isPhone && <InvoiceStateBadge invoice={invoice} />}
      {failure && <span className="text-muted">{failure}</span>}
    </span>
  )
}

export const InvoiceTable = ({
  invoices,
  sort,
}: {
  invoices: readonly Invoice[]
  sort: TableSort
}) => (
  <>
    <Table
      caption={m.invoices_caption()}
      columns={invoiceColumns()}
      compact
      rows={invoices}
      rowKey={({ id }) => id}
      sort={sort}
    />
    <DatesInUtc />
  </>
)

export const InvoiceTableSkeleton = () => (
  <TableSkeleton
    caption={m.invoices_caption()}
    columns={invoiceColumns()}
    compact
    rows={skeletonRows('invoices', 5)}
  />
)
