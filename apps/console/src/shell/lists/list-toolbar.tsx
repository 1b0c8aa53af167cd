import { m } from '@slipway/phrases'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { MissingState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/table-parts.tsx'
import { formatSort, parseSort } from '../../ui/table/table-sort.ts'
import { TableToolbar } from '../../ui/table/table-toolbar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { lastLength, storeLength, toolbarFrom } from './list-lengths.ts'
import { focusSearch, onSearchReady } from './page-search.ts'
import type { Filter, TableView } from './table-view.ts'

export const sortKeysOf = <Row,>(columns: readonly Column<Row>[]) =>
  columns.filter(({ sortBy }) => sortBy).map(({ key }) => key)

/** The orders for a select on a phone, where there are no headers to click. */
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
 * True if a list has a toolbar: it is long, or the URL has a search or a filter. Once visible it
 * stays, so that the search field keeps the focus. `count` is undefined while the rows load.
 * `minRows`: the number of rows from which a list has a toolbar.
 */
export function useHasToolbar(
  listName: string,
  count: number | undefined,
  view: TableView,
  minRows = toolbarFrom,
) {
  const isPhone = useIsPhone()
  const isLong = (count ?? lastLength(listName)) >= minRows[isPhone ? 'phone' : 'wide']
  const isNeeded = isLong || view.isNarrowed
  const [isVisible, setIsVisible] = useState(isNeeded)
  if (isNeeded && !isVisible) setIsVisible(true)
  useEffect(() => {
    // A filtered count is not the length of the list.
    if (count !== undefined && !view.isNarrowed) storeLength(listName, count)
  }, [listName, count, view.isNarrowed])
  return isVisible
}

/** The search, the filters and the order of a list, as the URL has them. */
export function ListToolbar<Row>({
  view,
  label,
  filters,
  columns,
  count,
  total,
  isEmpty,
  busy,
}: {
  view: TableView
  /** The label of the search, such as "Search projects". */
  label: string
  filters: readonly Filter[]
  columns: readonly Column<Row>[]
  /** The number of matching rows, with a search or a filter. */
  count?: string | undefined
  /**
   * The number of all rows, without a search or a filter: undefined while they load, null if nobody
   * counts them.
   */
  total?: string | null | undefined
  /** No row matches. */
  isEmpty?: boolean
  busy?: boolean
}) {
  const hasFilter = filters.some(({ key }) => view.chosen[key])
  useEffect(() => {
    if (!busy) onSearchReady()
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
      texts={{
        clearSearch: m.tables_search_clear(),
        clear: m.tables_clear(),
        filters: m.tables_filters(),
      }}
      count={view.isNarrowed ? count : total}
      // The search field has a button of its own, and an empty result has one for both.
      onClear={hasFilter && !isEmpty ? view.clear : undefined}
    />
  )
}

/** The empty result of a search or a filter, with a button that clears both. */
export const NoMatches = ({ view }: { view: TableView }) => {
  const search = view.search.trim()
  function clear() {
    view.clear()
    // The button disappears, so the search field gets the focus.
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
