import type { InvoiceItem } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { itemsToolbarFrom } from '../../../shell/lists/list-lengths.ts'
import { ListTable, ListTableSkeleton } from '../../../shell/lists/list-table.tsx'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Column } from '../../../ui/table/table-parts.tsx'
import { hoursRule } from '../billing-figures.ts'
import { lineNotes } from '../invoices/invoice-lines.tsx'
import { ItemCalculation } from '../item-calculation.tsx'
import { itemColumns } from '../item-columns.tsx'

const columns = (noteOf: ReturnType<typeof lineNotes>): Column<InvoiceItem>[] => [
  {
    key: 'project',
    header: m.invoices_active_project(),
    sortBy: ({ projectName }) => projectName,
    cell: (item) => (
      <span className="grid gap-1">
        <span>
          <TextLink to={paths.project(item.projectKey)}>{item.projectName}</TextLink>
        </span>
        <ItemCalculation item={item} product={item.product} />
        {noteOf(item)}
      </span>
    ),
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'product',
    header: m.invoices_active_product(),
    sortBy: ({ product }) => product,
    cell: ({ product }) => product,
    skeleton: 'w-24',
  },
  ...itemColumns(m.invoices_active_amount()),
]

const definition = (items: readonly InvoiceItem[] = []) => ({
  list: 'usage',
  caption: m.invoices_active_items(),
  searchLabel: m.tables_search_items(),
  toolbarFrom: itemsToolbarFrom,
  totalLabel: (count: number) => m.tables_total_items({ count }),
  columns: columns(lineNotes(items)),
  compact: true,
})

/** The cost of each project so far. A project with two prices has a row for each. */
export const ActiveInvoiceItems = ({ items }: { items: readonly InvoiceItem[] }) => (
  <Section title={m.invoices_active_items()}>
    <ListTable
      {...definition(items)}
      rows={items}
      rowKey={({ id }) => id}
      searchIn={({ projectName, projectKey, product }) => [projectName, projectKey, product]}
    />
    <p className="text-muted">{hoursRule()}</p>
  </Section>
)

export const ActiveInvoiceItemsSkeleton = () => (
  <Section title={m.invoices_active_items()}>
    <ListTableSkeleton {...definition()} rows={2} />
    <p className="text-muted">{hoursRule()}</p>
  </Section>
)
