import type { ActiveInvoice, InvoiceItem } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'
import { formatRate, getLocale, m } from '@slipway/phrases'
import { itemsToolbarFrom } from '../../../shell/lists/list-lengths.ts'
import { ListTable, ListTableSkeleton } from '../../../shell/lists/list-table.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Column, TableTotal } from '../../../ui/table/table-parts.tsx'
import { Amount } from '../amount.tsx'
import { amountText, billingRule, hoursText } from '../billing-figures.ts'
import { lineNotes } from '../invoices/invoice-lines.tsx'
import { ItemCalculation } from '../item-calculation.tsx'
import { ItemName, itemColumns } from '../item-columns.tsx'
import { highestCostFirst } from './highest-cost-first.ts'

const productColumn = (): Column<InvoiceItem> => ({
  key: 'product',
  header: m.invoices_active_product(),
  sortBy: ({ product }) => product,
  cell: ({ product }) => product,
  skeleton: 'w-24',
})

/**
 * True if several items have the same product and price. The total then names both: columns would
 * repeat them. Also while they load, as most are alike.
 */
const areAlike = (items: readonly InvoiceItem[]) =>
  items.length !== 1 &&
  items.every(
    ({ product, price, discount }) =>
      discount === null && product === items[0]?.product && price === items[0]?.price,
  )

/** Its name, and on a phone its hours. */
const ProjectSkeleton = () => (
  <span className="grid gap-1">
    <span>
      <Skeleton className="w-40" />
    </span>
    <span className="sm:hidden">
      <Skeleton className="w-20" />
    </span>
  </span>
)

const columns = (items: readonly InvoiceItem[]): Column<InvoiceItem>[] => {
  const alike = areAlike(items)
  const noteOf = lineNotes(items)
  return [
    {
      key: 'project',
      header: m.invoices_active_project(),
      sortBy: ({ projectName }) => projectName,
      cell: (item) => (
        <span className="grid gap-1">
          <ItemName item={item} />
          <ItemCalculation
            item={item}
            product={alike ? undefined : item.product}
            isRateShared={alike}
          />
          {noteOf(item)}
        </span>
      ),
      primary: true,
      skeleton: <ProjectSkeleton />,
    },
    ...(alike ? [] : [productColumn()]),
    ...itemColumns(m.invoices_active_amount(), {
      hasDiscount: items.some(({ discount }) => discount !== null),
    }).filter(({ key }) => !(alike && key === 'price')),
  ]
}

/** The sum of several items; below it a single product, its hours and the price they share. */
function totalsOf(items: readonly InvoiceItem[], usage: ActiveInvoice['usage']): TableTotal[] {
  const [first, ...others] = items
  if (!first || others.length === 0) return []
  const [only] = usage.length === 1 ? usage : []
  const hours = only && hoursText(only.runningHours)
  const note =
    only &&
    `${only.product} · ${areAlike(items) ? `${hours}\u00A0×\u00A0${amountText(first.price)}` : hours}`
  const sum = sumAmounts(items.map(({ totalAmount }) => totalAmount))
  return [{ label: m.invoices_total(), note, value: <Amount value={sum} />, strong: true }]
}

const definition = (items: readonly InvoiceItem[] = []) => ({
  list: 'usage',
  caption: m.invoices_active_items(),
  searchLabel: m.tables_search_items(),
  toolbarFrom: itemsToolbarFrom,
  totalLabel: (count: number) => m.tables_total_items({ count }),
  columns: columns(items),
  compact: true,
  inCard: true,
})

const Heading = () => <h3 className="font-medium">{m.invoices_active_items()}</h3>

/** The cost of each project so far. A project with two prices has a row for each. */
export function ActiveInvoiceItems({
  items,
  usage,
  taxRate,
}: Pick<ActiveInvoice, 'items' | 'usage' | 'taxRate'>) {
  return (
    <div className="grid gap-2">
      <Heading />
      <ListTable
        {...definition(items)}
        rows={highestCostFirst(items)}
        rowKey={({ id }) => id}
        totals={totalsOf(items, usage)}
        searchIn={({ projectName, projectKey, product }) => [projectName, projectKey, product]}
      />
      <p className="mt-2 text-muted">
        {billingRule(items)}{' '}
        {!money(taxRate).eq(0) &&
          m.invoices_tax_excluded({ rate: formatRate(taxRate, getLocale()) })}
      </p>
    </div>
  )
}

export const ActiveInvoiceItemsSkeleton = () => (
  <div className="grid gap-2">
    <Heading />
    <ListTableSkeleton
      {...definition()}
      rows={2}
      totals={[{ label: m.invoices_total(), value: <Skeleton className="w-24" />, strong: true }]}
    />
    <p className="mt-2 text-muted">{billingRule([])}</p>
  </div>
)
