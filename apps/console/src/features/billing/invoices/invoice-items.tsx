import { type InvoiceTotal, invoiceTotals } from '@slipway/contract/invoice-totals'
import type { InvoiceItem } from '@slipway/contract/invoices'
import { formatRate, getLocale, m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { itemsToolbarFrom } from '../../../shell/lists/list-lengths.ts'
import { ListTable, ListTableSkeleton } from '../../../shell/lists/list-table.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Column, TableTotal } from '../../../ui/table/table-parts.tsx'
import { Amount } from '../amount.tsx'
import { billingRule } from '../billing-figures.ts'
import { ItemCalculation } from '../item-calculation.tsx'
import { ItemName, itemColumns } from '../item-columns.tsx'
import type { InvoiceView } from './invoice-details.tsx'
import { lineNotes } from './invoice-lines.tsx'
import { settledText } from './settled-amounts.ts'

const columns = (noteOf: ReturnType<typeof lineNotes>): Column<InvoiceItem>[] => [
  {
    key: 'product',
    header: `${m.invoices_project()} / ${m.invoices_product()}`,
    sortBy: ({ product }) => product,
    cell: (item) => <ProductCell item={item} note={noteOf(item)} />,
    primary: true,
    skeleton: <ProductSkeleton />,
  },
  ...itemColumns(m.invoices_net(), { hasDiscount: true }),
]

/** Its name, its product, and on a phone its calculation. */
const ProductSkeleton = () => (
  <span className="grid gap-0.5">
    <span>
      <Skeleton className="w-32" />
    </span>
    <span>
      <Skeleton className="w-20" />
    </span>
    <span className="sm:hidden">
      <Skeleton className="w-40" />
    </span>
  </span>
)

/** The project, with the name that it had when it was billed, and its product. */
const ProductCell = ({ item, note }: { item: InvoiceItem; note: ReactNode }) => (
  <span className="grid gap-0.5">
    <ItemName item={item} />
    <span className="text-sm font-normal text-muted">{item.product}</span>
    <ItemCalculation item={item} />
    {note}
  </span>
)

const totalLabels: Record<InvoiceTotal['kind'], (invoice: InvoiceView) => string> = {
  undiscounted: () => m.invoices_undiscounted(),
  discount: () => m.invoices_discount_total(),
  subtotal: () => m.invoices_subtotal(),
  tax: ({ tax }) => m.invoices_tax({ rate: formatRate(tax.rate, getLocale()) }),
  total: () => m.invoices_total(),
  rounding: () => m.invoices_rounding(),
  settled: ({ paidAt }) => (paidAt === null ? m.invoices_amount_due() : m.invoices_amount_paid()),
}

const totalsOf = (invoice: InvoiceView): TableTotal[] =>
  invoiceTotals(invoice).map(({ kind, amount }) => ({
    label: totalLabels[kind](invoice),
    value: kind === 'settled' ? settledText(amount) : <Amount value={amount} />,
    strong: kind === 'settled',
    large: kind === 'settled',
  }))

const loadingTotals = (): TableTotal[] => {
  const value = <Skeleton className="w-20" />
  return [
    { label: m.invoices_subtotal(), value },
    { label: m.invoices_total(), value, strong: true, large: true },
  ]
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

const FinePrint = ({ items = [] }: { items?: readonly InvoiceItem[] }) => (
  <p className="mt-4 text-muted">
    {billingRule(items)} {m.invoices_dates_utc()}
  </p>
)

export const InvoiceItems = ({ invoice }: { invoice: InvoiceView }) => (
  <>
    <ListTable
      {...definition(invoice.items)}
      rows={invoice.items}
      rowKey={({ id }) => id}
      totals={totalsOf(invoice)}
      searchIn={({ product, projectName, projectKey }) => [product, projectName, projectKey]}
    />
    <FinePrint items={invoice.items} />
  </>
)

export const InvoiceItemsSkeleton = () => (
  <>
    <ListTableSkeleton {...definition()} rows={2} totals={loadingTotals()} />
    <FinePrint />
  </>
)
