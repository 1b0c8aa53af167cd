import { getLocale, m } from '@slipway/phrases'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { Table, type TableProps, TableSkeleton } from '../../ui/table/table.tsx'
import type { ColumnWidths } from '../../ui/table/table-columns.ts'
import { createSearch, type SearchIn } from '../../ui/table/table-search.ts'
import { sortRows } from '../../ui/table/table-sort.ts'
import { type itemsToolbarFrom, skeletonRows } from './list-lengths.ts'
import { ListToolbar, NoMatches, sortKeysOf, useHasToolbar } from './list-toolbar.tsx'
import { type Filter, type TableView, useTableView } from './table-view.ts'

/** A filter for a list that is loaded as a whole. */
export type RowFilter<Row> = Filter & { matches: (row: Row, value: string) => boolean }

type Definition<Row> = Pick<TableProps<Row>, 'caption' | 'columns' | 'compact' | 'inCard'> & {
  /** The name of the list, under which its length is stored. */
  list: string
  /** Such as "Search projects". */
  searchLabel: string
  /** Counts the rows, such as "17 projects". */
  totalLabel: (count: number) => string
  filters?: readonly RowFilter<Row>[]
  /** The number of rows from which the list has a toolbar; the default fits most lists. */
  toolbarFrom?: typeof itemsToolbarFrom
}

const noFilters: readonly never[] = []

/** The rows after the search, the filters and the order of the URL. */
function useVisibleRows<Row>(
  { rows, columns, searchIn, filters = noFilters }: ListTableProps<Row>,
  { search, chosen, sort }: Pick<TableView, 'search' | 'chosen' | 'sort'>,
) {
  const find = useMemo(() => createSearch(rows, searchIn), [rows, searchIn])
  return useMemo(() => {
    const activeFilters = filters.filter(({ key }) => chosen[key])
    const matching = activeFilters.reduce<readonly Row[]>(
      (remaining, { key, matches }) => remaining.filter((row) => matches(row, chosen[key] ?? '')),
      find(search),
    )
    const sortBy = columns.find(({ key }) => key === sort?.key)?.sortBy
    if (!sort || typeof sortBy !== 'function') return matching
    return sortRows(matching, sortBy, { descending: sort.descending, locale: getLocale() })
  }, [find, search, filters, chosen, columns, sort])
}

type ListTableProps<Row> = Definition<Row> &
  Pick<TableProps<Row>, 'rows' | 'rowKey' | 'totals'> & { searchIn: SearchIn<Row> }

/** The minimum number of rows of a table whose head is sticky. */
const stickyFrom = 10

/** Makes the head of a long list sticky; loads the code for it on demand. */
function useStickyHead(list: RefObject<HTMLElement | null>, rows: number, isShown: boolean) {
  const isLong = rows >= stickyFrom && isShown
  useEffect(() => {
    if (!isLong) return
    let isMounted = true
    let cleanUp = () => {}
    import('./sticky-table-head.ts').then(({ stickTableHead }) => {
      if (isMounted && list.current) cleanUp = stickTableHead(list.current)
    }, reportError)
    return () => {
      isMounted = false
      cleanUp()
    }
  }, [list, isLong])
}

/** Scrolls to the first row when the user changes the search, the filters or the order. */
function useScrollToStart(list: RefObject<HTMLElement | null>, view: TableView) {
  const viewKey = JSON.stringify([view.search, view.chosen, view.sort])
  const previousKey = useRef(viewKey)
  useEffect(() => {
    if (previousKey.current === viewKey) return
    previousKey.current = viewKey
    const element = list.current
    // A change by going back keeps the scroll position; the focus is not in the list then.
    if (!element?.contains(document.activeElement)) return
    const top =
      element.getBoundingClientRect().top - (document.querySelector('header')?.offsetHeight ?? 0)
    if (top < 0) scrollBy({ top: top - 16, behavior: 'instant' })
  }, [list, viewKey])
}

/** A table of a list that is loaded as a whole, with search, filters and sorting. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const {
    list,
    rows,
    rowKey,
    caption,
    columns,
    compact,
    inCard,
    totals,
    searchLabel,
    totalLabel,
    filters = noFilters,
  } = props
  const view = useTableView(filters, sortKeysOf(columns))
  const shown = useVisibleRows(props, view)
  const hasToolbar = useHasToolbar(list, rows.length, view, props.toolbarFrom)
  const widths = useRef<ColumnWidths>(null)
  const element = useRef<HTMLDivElement>(null)
  useStickyHead(element, rows.length, shown.length > 0)
  useScrollToStart(element, view)
  return (
    <div ref={element} className="flex min-w-0 flex-col gap-4">
      {hasToolbar && (
        <ListToolbar
          view={view}
          label={searchLabel}
          filters={filters}
          columns={columns}
          count={m.tables_shown_of({ shown: shown.length, total: rows.length })}
          total={totalLabel(rows.length)}
          isEmpty={shown.length === 0}
        />
      )}
      {shown.length === 0 ? (
        <NoMatches view={view} />
      ) : (
        <Table
          caption={caption}
          columns={columns}
          compact={compact}
          inCard={inCard}
          rows={shown}
          rowKey={rowKey}
          widths={widths}
          sort={{ current: view.sort, onChange: view.orderBy }}
          // The totals count all rows, not the found ones.
          totals={view.isNarrowed ? undefined : totals}
        />
      )}
    </div>
  )
}

/** The table while its rows load, with a toolbar if the list had one when it was last shown. */
export function ListTableSkeleton<Row>({
  list,
  searchLabel,
  totalLabel: _totalLabel,
  filters = noFilters,
  toolbarFrom,
  rows,
  ...table
}: Definition<Row> & Pick<TableProps<Row>, 'totals'> & { rows?: number }) {
  const view = useTableView(filters, sortKeysOf(table.columns))
  const hasToolbar = useHasToolbar(list, undefined, view, toolbarFrom)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {hasToolbar && (
        <ListToolbar
          busy
          view={view}
          label={searchLabel}
          filters={filters}
          columns={table.columns}
        />
      )}
      <TableSkeleton {...table} rows={skeletonRows(list, rows)} />
    </div>
  )
}
