import { m } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { MissingState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/table-parts.tsx'
import { formatSort, parseSort } from '../../ui/table/table-sort.ts'
import { TableToolbar } from '../../ui/table/table-toolbar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { lastLength, rememberLength, searchFrom } from './list-lengths.ts'
import { focusSearch, searchIsReady } from './page-search.ts'
import type { Filter, TableView } from './table-view.ts'

/** The columns by which rows can be put in order. */
export const sortKeysOf = <Row,>(columns: readonly Column<Row>[]) =>
  columns.filter(({ sortBy }) => sortBy).map(({ key }) => key)

/** The orders to choose from on a phone, where there are no headers to press. */
function orderOf<Row>(view: TableView, columns: readonly Column<Row>[]) {
  const sortable = columns.filter(({ sortBy }) => sortBy)
  const options = sortable.flatMap(({ key, header: column }) => [
    { value: key, label: m.tables_sort_ascending({ column }) },
    { value: `-${key}`, label: m.tables_sort_descending({ column }) },
  ])
  return {
    key: 'sort',
    label: m.tables_sort(),
    value: view.sort ? formatSort(view.sort) : '',
    options: [{ value: '', label: m.tables_sort_own() }, ...options],
    onChange: (text: string) => view.orderBy(parseSort(text, sortKeysOf(columns))),
  }
}

/**
 * Whether a list has a toolbar: when it is long, or its address narrows it down. Once there it stays, or
 * the field that somebody types in would go. `count` is undefined while the rows are on their way.
 */
export function useHasToolbar(list: string, count: number | undefined, view: TableView) {
  const isPhone = useIsPhone()
  const isLong = (count ?? lastLength(list)) >= searchFrom[isPhone ? 'phone' : 'wide']
  const isWanted = isLong || view.isNarrowed
  const [isThere, setIsThere] = useState(isWanted)
  if (isWanted && !isThere) setIsThere(true)
  useEffect(() => {
    // What the server has narrowed down says nothing of the whole.
    if (count !== undefined && !view.isNarrowed) rememberLength(list, count)
  }, [list, count, view.isNarrowed])
  return isThere
}

/** The search, the filters and the order of a list, as its address has them. */
export function ListToolbar<Row>({
  view,
  label,
  filters,
  columns,
  count,
  total,
  busy,
}: {
  view: TableView
  /** What the field is called, such as "Search projects". */
  label: string
  filters: readonly Filter[]
  columns: readonly Column<Row>[]
  /** How many rows there are now, while not all are shown. */
  count?: string | undefined
  /** How many there are, while all are shown. */
  total?: string | undefined
  busy?: boolean
}) {
  useEffect(() => {
    if (!busy) searchIsReady()
  }, [busy])
  return (
    <TableToolbar
      busy={busy}
      search={{ label, value: view.search, onChange: view.searchFor }}
      filters={filters.map(({ key, label, all, options }) => ({
        key,
        label,
        value: view.chosen[key] ?? '',
        options: [{ value: '', label: all }, ...options],
        onChange: (value) => view.choose(key, value),
      }))}
      order={orderOf(view, columns)}
      texts={{ clearSearch: m.tables_search_clear(), clear: m.tables_clear() }}
      count={view.isNarrowed ? count : total}
      onClear={view.isNarrowed ? view.clear : undefined}
    />
  )
}

/** No row is what the address asks for: says what that was, and takes it back. */
export const NoMatches = ({ view }: { view: TableView }) => {
  const search = view.search.trim()
  function clear() {
    view.clear()
    // The button is gone then.
    focusSearch()
  }
  return (
    <MissingState
      title={search === '' ? m.tables_nothing() : m.tables_nothing_for({ search })}
      action={<Button onClick={clear}>{m.tables_clear_all()}</Button>}
    >
      {m.tables_nothing_hint()}
    </MissingState>
  )
}
