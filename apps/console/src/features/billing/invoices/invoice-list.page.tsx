import type { ResponseOf } from '@slipway/contract/endpoint'
import { invoiceListStates, type listInvoices } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { Link, useSearch } from '@tanstack/react-router'
import { invoiceView } from '../../../api/invoice-view.ts'
import { paths } from '../../../paths.ts'
import { pageNumber } from '../../../search-parameters.ts'
import {
  ListToolbar,
  NoMatches,
  sortKeysOf,
  useHasToolbar,
} from '../../../shell/lists/list-toolbar.tsx'
import { type Filter, type TableView, useTableView } from '../../../shell/lists/table-view.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { EmptyState, MissingState } from '../../../ui/states.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { BillingTabs } from '../billing-tabs.tsx'
import { useInvoices } from './invoice-queries.ts'
import { invoiceStates } from './invoice-states.ts'
import { InvoiceTable, InvoiceTableSkeleton, invoiceColumns } from './invoice-table.tsx'

const filters = (): Filter[] => [
  {
    key: 'state',
    label: m.invoices_state(),
    all: m.tables_all_states(),
    options: invoiceListStates.map((value) => ({ value, label: invoiceStates[value].label() })),
  },
]

/** The search parameters of a page of the current list; the first page has no number. */
const pageSearch = (page: number) => (currentSearch: Record<string, unknown>) => ({
  ...currentSearch,
  page: page === 1 ? undefined : `${page}`,
})

const NoInvoices = () => (
  <EmptyState
    title={m.invoices_empty()}
    action={<ButtonLink to={paths.billing()}>{m.invoices_show_usage()}</ButtonLink>}
  >
    {m.invoices_empty_hint()}
  </EmptyState>
)

const PageMissing = ({ page }: { page: number }) => (
  <MissingState
    title={m.invoices_page_missing({ page })}
    action={<ButtonLink to={paths.invoices()}>{m.invoices_first_page()}</ButtonLink>}
  >
    {m.invoices_page_missing_hint()}
  </MissingState>
)

const Pages = ({ current, total }: { current: number; total: number }) => (
  <Pagination
    current={current}
    total={total}
    texts={{
      label: m.invoices_pages(),
      previous: m.invoices_previous(),
      next: m.invoices_next(),
      page: (page) => m.invoices_page({ page }),
    }}
    link={(page, { label, ...linkProps }) => (
      <Link
        to={paths.invoices()}
        search={pageSearch(page)}
        // Otherwise the first page's link matches every page and counts as current.
        activeOptions={{ exact: true }}
        aria-label={label}
        {...linkProps}
      />
    )}
  />
)

/**
 * One page of the invoices and the pagination. `isLoadingNext` is true while the rows
 * still belong to the previous page.
 */
function Invoices({
  response: { items, currentPage, totalPages },
  page,
  view,
  isLoadingNext,
}: {
  response: ResponseOf<typeof listInvoices>
  page: number
  view: TableView
  isLoadingNext: boolean
}) {
  const isEmpty = totalPages === 0 && page === 1
  if (items.length === 0 && !isLoadingNext && !isEmpty)
    return (
      <div className="grid gap-4">
        <PageMissing page={page} />
        <Pages current={page} total={totalPages} />
      </div>
    )
  if (isEmpty && view.isNarrowed) return <NoMatches view={view} />
  return (
    <div className="grid gap-4" aria-busy={isLoadingNext || undefined}>
      {isEmpty ? (
        <NoInvoices />
      ) : (
        <InvoiceTable invoices={items} sort={{ current: view.sort, onChange: view.orderBy }} />
      )}
      <Pages current={isLoadingNext ? page : currentPage} total={totalPages} />
    </div>
  )
}

/** The minimum number of rows in the list, because the last page may be short. */
const minRowCount = ({ items, totalPages, perPage }: ResponseOf<typeof listInvoices>) =>
  Math.max(items.length, (totalPages - 1) * perPage + 1)

export function Page() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const page = pageNumber(search.page)
  const query = useInvoices(page, invoiceView(search))
  const columns = invoiceColumns()
  const view = useTableView(filters(), sortKeysOf(columns))
  const hasToolbar = useHasToolbar('invoices', query.data && minRowCount(query.data), view)
  return (
    <PageFrame tabs={<BillingTabs />}>
      <div className="grid min-w-0 gap-4">
        {hasToolbar && (
          <ListToolbar
            busy={!query.data}
            view={view}
            label={m.tables_search_invoices()}
            filters={filters()}
            columns={columns}
            total={null}
            count={
              query.data && !query.isPlaceholderData
                ? m.tables_shown({ count: query.data.items.length })
                : undefined
            }
          />
        )}
        <QueryView query={query} item={m.invoices_item_list()} loading={<InvoiceTableSkeleton />}>
          {(response) => (
            <Invoices
              response={response}
              page={page}
              view={view}
              isLoadingNext={query.isPlaceholderData}
            />
          )}
        </QueryView>
      </div>
    </PageFrame>
  )
}
