import type { InvoiceItem } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/link.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { amountText, hoursText } from './billing-figures.ts'

const columns = (): Column<InvoiceItem>[] => [
  {
    key: 'project',
    header: m.invoices_active_project(),
    cell: ({ projectKey, projectName }) => (
      <TextLink to={paths.project(projectKey)}>{projectName}</TextLink>
    ),
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'product',
    header: m.invoices_active_product(),
    cell: ({ product }) => product,
    skeleton: 'w-24',
  },
  {
    key: 'duration',
    header: m.invoices_active_duration(),
    cell: ({ runningHours }) => hoursText(runningHours),
    align: 'end',
    skeleton: 'w-20',
  },
  {
    key: 'price',
    header: m.invoices_active_price(),
    cell: ({ price }) => amountText(price),
    align: 'end',
    skeleton: 'w-20',
  },
  {
    key: 'discount',
    header: m.invoices_active_discount(),
    cell: ({ discount }) => (discount === null ? '–' : amountText(discount)),
    align: 'end',
    skeleton: 'w-20',
  },
  {
    key: 'amount',
    header: m.invoices_active_amount(),
    cell: ({ totalAmount }) => <span className="font-medium">{amountText(totalAmount)}</span>,
    align: 'end',
    skeleton: 'w-24',
  },
]

/** What each project cost so far. One that ran at two prices has a row for each. */
export const ActiveInvoiceItems = ({ items }: { items: readonly InvoiceItem[] }) => (
  <Section title={m.invoices_active_items()}>
    <Table
      caption={m.invoices_active_items()}
      columns={columns()}
      rows={items}
      rowKey={({ id }) => id}
    />
  </Section>
)

/** The shape of the table while it loads. */
export const ActiveInvoiceItemsSkeleton = () => (
  <Section title={m.invoices_active_items()}>
    <TableSkeleton caption={m.invoices_active_items()} columns={columns()} rows={2} />
  </Section>
)
