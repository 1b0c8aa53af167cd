import { getLocale, m } from '@slipway/phrases'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { Table, type TableProps, TableSkeleton } from '../../ui/table/table.tsx'
import type { ColumnWidths } from '../../ui/table/table-columns.ts'
import { createSearch, type SearchIn } from '../../ui/table/table-search.ts'
import { sortRows } from '../../ui/table/table-sort.ts'
import { ListToolbar, NoMatches, sortKeysOf, useHasToolbar } from './list-toolbar.tsx'
import { type Filter, type TableView, useTableView } from './table-view.ts'

/** A filter of rows that are all there. */
export type RowFilter<Row> = Filter & { matches: (row: Row, value: string) => boolean }

type Definition<Row> = Pick<TableProps<Row>, 'caption' | 'columns'> & {
  /** The name that its length is remembered by. */
  list: string
  /** What its search is called, such as "Search projects". */
  searchLabel: string
  filters?: readonly RowFilter<Row>[]
}

const noFilters: readonly never[] = []

/** The rows as the address wants them: those that are found, of the chosen kind, in the chosen order. */
function useShownRows<Row>(
  { rows, columns, searchIn, filters = noFilters }: ListTableProps<Row>,
  { search, chosen, sort }: Pick<TableView, 'search' | 'chosen' | 'sort'>,
) {
  const find = useMemo(() => createSearch(rows, searchIn), [rows, searchIn])
  return useMemo(() => {
    const wanted = filters.filter(({ key }) => chosen[key])
    const found = wanted.reduce<readonly Row[]>(
      (left, { key, matches }) => left.filter((row) => matches(row, chosen[key] ?? '')),
      find(search),
    )
    const sortBy = columns.find(({ key }) => key === sort?.key)?.sortBy
    if (!sort || typeof sortBy !== 'function') return found
    return sortRows(found, sortBy, { descending: sort.descending, locale: getLocale() })
  }, [find, search, filters, chosen, columns, sort])
}

type ListTableProps<Row> = Definition<Row> &
  Pick<TableProps<Row>, 'rows' | 'rowKey' | 'totals'> & { searchIn: SearchIn<Row> }

/** From so many rows on the head of a table can be scrolled out of sight. */
const scrollsFrom = 10

/** Keeps the head of a long list in sight; its code comes once there is such a list. */
function useHeadInSight(list: RefObject<HTMLElement | null>, rows: number, isShown: boolean) {
  const isLong = rows >= scrollsFrom && isShown
  useEffect(() => {
    if (!isLong) return
    let isHere = true
    let end = () => {}
    import('./sticky-table-head.ts').then(({ stickTableHead }) => {
      if (isHere && list.current) end = stickTableHead(list.current)
    }, reportError)
    return () => {
      isHere = false
      end()
    }
  }, [list, isLong])
}

/** Whoever narrows a list down, or puts it in another order, is shown it from its beginning. */
function useBeginning(list: RefObject<HTMLElement | null>, view: TableView) {
  const asked = JSON.stringify([view.search, view.chosen, view.sort])
  const known = useRef(asked)
  useEffect(() => {
    if (known.current === asked) return
    known.current = asked
    const element = list.current
    // Going back shows what was there, where it was.
    if (!element?.contains(document.activeElement)) return
    const top =
      element.getBoundingClientRect().top - (document.querySelector('header')?.offsetHeight ?? 0)
    if (top < 0) scrollBy({ top: top - 16, behavior: 'instant' })
  }, [list, asked])
}

/** A table whose rows are all there, with what finds, filters and orders them. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { list, rows, rowKey, caption, columns, totals, searchLabel, filters = noFilters } = props
  const view = useTableView(filters, sortKeysOf(columns))
  const shown = useShownRows(props, view)
  const hasToolbar = useHasToolbar(list, rows.length, view)
  const widths = useRef<ColumnWidths>(null)
  const element = useRef<HTMLDivElement>(null)
  useHeadInSight(element, rows.length, shown.length > 0)
  useBeginning(element, view)
  return (
    <div ref={element} className="flex min-w-0 flex-col gap-4">
      {hasToolbar && (
        <ListToolbar
          view={view}
          label={searchLabel}
          filters={filters}
          columns={columns}
          count={m.tables_shown_of({ shown: shown.length, total: rows.length })}
          total={m.tables_total({ total: rows.length })}
        />
      )}
      {shown.length === 0 ? (
        <NoMatches view={view} />
      ) : (
        <Table
          caption={caption}
          columns={columns}
          rows={shown}
          rowKey={rowKey}
          widths={widths}
          sort={{ current: view.sort, onChange: view.orderBy }}
          // What a part of the rows adds up to is not the total.
          totals={view.isNarrowed ? undefined : totals}
        />
      )}
    </div>
  )
}

/** The shape of the table while its rows load; with a toolbar, if it had one when it was last seen. */
export function ListTableSkeleton<Row>({
  list,
  searchLabel,
  filters = noFilters,
  rows,
  ...table
}: Definition<Row> & { rows?: number }) {
  const view = useTableView(filters, sortKeysOf(table.columns))
  const hasToolbar = useHasToolbar(list, undefined, view)
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
      <TableSkeleton {...table} rows={rows} />
    </div>
  )
}
