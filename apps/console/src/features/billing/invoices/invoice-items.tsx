import type { InvoiceItem } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'
import { formatRate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { itemsToolbarFrom } from '../../../shell/lists/list-lengths.ts'
import { ListTable, ListTableSkeleton } from '../../../shell/lists/list-table.tsx'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Column, TableTotal } from '../../../ui/table/table-parts.tsx'
import { Amount } from '../amount.tsx'
import { hoursRule } from '../billing-figures.ts'
import { ItemCalculation } from '../item-calculation.tsx'
import { itemColumns } from '../item-columns.tsx'
import type { InvoiceView } from './invoice-details.tsx'
import { lineNotes } from './invoice-lines.tsx'

const columns = (noteOf: ReturnType<typeof lineNotes>): Column<InvoiceItem>[] => [
  {
    key: 'product',
    header: m.invoices_product(),
    sortBy: ({ product }) => product,
    cell: (item) => <ProductCell item={item} note={noteOf(item)} />,
    primary: true,
    skeleton: 'w-32',
  },
  ...itemColumns(m.invoices_net()),
]

/** The product and its project, with the name that the project had when it was billed. */
const ProductCell = ({ item, note }: { item: InvoiceItem; note: ReactNode }) => (
  <span className="grid gap-0.5">
    <span className="flex flex-wrap gap-x-2">
      <span>{item.product}</span>
      <span className="min-w-0 font-normal">
        <TextLink to={paths.project(item.projectKey)}>{item.projectName}</TextLink>
      </span>
    </span>
    <ItemCalculation item={item} />
    {note}
  </span>
)

/** Subtotal, discount and tax unless they are zero, total, and the amount paid or due. */
function totalsOf({ items, amount, tax, paidAt }: InvoiceView): TableTotal[] {
  const discount = sumAmounts(items.map((item) => item.discountAmount))
  const lines: (false | [label: string, value: string])[] = [
    [m.invoices_subtotal(), sumAmounts(items.map((item) => item.amount))],
    !money(discount).eq(0) && [m.invoices_discount_total(), `-${discount}`],
    !money(tax.amount).eq(0) && [
      m.invoices_tax({ rate: formatRate(tax.rate, getLocale()) }),
      tax.amount,
    ],
    [m.invoices_total(), amount],
    [paidAt === null ? m.invoices_amount_due() : m.invoices_amount_paid(), amount],
  ]
  return lines
    .filter((line) => line !== false)
    .map(([label, value], index, { length }) => ({
      label,
      value: <Amount value={value} />,
      strong: index === length - 1,
    }))
}

const definition = (items: readonly InvoiceItem[] = []) => ({
  list: 'items',
  caption: m.invoices_items(),
  searchLabel: m.tables_search_items(),
  toolbarFrom: itemsToolbarFrom,
  totalLabel: (count: number) => m.tables_total_items({ count }),
  columns: columns(lineNotes(items)),
  compact: true,
  inCard: true,
})

export const InvoiceItems = ({ invoice }: { invoice: InvoiceView }) => (
  <Section title={m.invoices_items()}>
    <ListTable
      {...definition(invoice.items)}
      rows={invoice.items}
      rowKey={({ id }) => id}
      totals={totalsOf(invoice)}
      searchIn={({ product, projectName, projectKey }) => [product, projectName, projectKey]}
    />
    <p className="text-muted">{hoursRule()}</p>
  </Section>
)

export const InvoiceItemsSkeleton = () => (
  <Section title={m.invoices_items()}>
    <ListTableSkeleton {...definition()} rows={2} />
    <p className="text-muted">{hoursRule()}</p>
  </Section>
)
