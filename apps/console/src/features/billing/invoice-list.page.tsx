import type { AnswerOf } from '@slipway/contract/endpoint'
import type { listInvoices } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import { QueryView } from '../../api/query-view.tsx'
import { paths } from '../../paths.ts'
import { pageNumber } from '../../search-parameters.ts'
import { ButtonLink } from '../../shell/link.tsx'
import { useSearchParam } from '../../shell/location.ts'
import { PageFrame } from '../../shell/page-frame.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, MissingState } from '../../ui/states.tsx'
import { BillingTabs } from './billing-tabs.tsx'
import { useInvoices } from './invoice-queries.ts'
import { InvoiceTable, InvoiceTableSkeleton } from './invoice-table.tsx'

/** The address of a page; that of the first is the list's own. */
const searchOf = (page: number) => (page === 1 ? {} : { page: `${page}` })

const NoInvoices = () => (
  <EmptyState
    title={m.invoices_empty()}
    action={<ButtonLink to={paths.billing()}>{m.invoices_show_usage()}</ButtonLink>}
  >
    {m.invoices_empty_hint()}
  </EmptyState>
)

const PastTheEnd = ({ page }: { page: number }) => (
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
    link={(page, { label, ...look }) => (
      <Link
        to={paths.invoices()}
        search={searchOf(page)}
        // Else the first page's address would be part of each other's, and its link the current one.
        activeOptions={{ exact: true }}
        aria-label={label}
        {...look}
      />
    )}
  />
)

/** The invoices of one page, and the way to the others; `isNext`: those are of the page before. */
function Invoices({
  shown: { items, currentPage, totalPages },
  page,
  isNext,
}: {
  shown: AnswerOf<typeof listInvoices>
  page: number
  isNext: boolean
}) {
  const isEmpty = totalPages === 0 && page === 1
  if (items.length === 0 && !isNext && !isEmpty) return <PastTheEnd page={page} />
  return (
    <div className="grid gap-4" aria-busy={isNext || undefined}>
      {isEmpty ? <NoInvoices /> : <InvoiceTable invoices={items} />}
      <Pages current={isNext ? page : currentPage} total={totalPages} />
    </div>
  )
}

export function Page() {
  const page = pageNumber(useSearchParam('page'))
  const query = useInvoices(page)
  return (
    <PageFrame title={m.invoices_title()} within={[m.invoices_overview_title()]}>
      <BillingTabs />
      <QueryView query={query} item={m.invoices_item_list()} loading={<InvoiceTableSkeleton />}>
        {(shown) => <Invoices shown={shown} page={page} isNext={query.isPlaceholderData} />}
      </QueryView>
    </PageFrame>
  )
}
