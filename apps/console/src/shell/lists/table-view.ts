import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { formatSort, parseSort, type Sort } from '../../ui/table/table-sort.ts'

/** A filter of rows, such as by state: a query parameter and its values. */
export type Filter = {
  key: string
  label: string
  /** The label of the option that does not filter, such as “All states”. */
  all: string
  options: readonly { value: string; label: string }[]
}

/** The search, filters and order of a table in the URL; unknown values are ignored. */
export type TableView = ReturnType<typeof useTableView>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * The text of the search field. The URL follows it with a delay, so values in the URL that the
 * field itself has sent are ignored. Any other value in the URL, such as after going back, replaces
 * the text.
 */
function useTyped(searchInUrl: string) {
  const [typed, setTyped] = useState(searchInUrl)
  const sent = useRef<string[]>([])
  const followUrl = useEffectEvent(() => {
    if (searchInUrl === typed) sent.current = []
    else if (!sent.current.includes(searchInUrl)) setTyped(searchInUrl)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the URL changes
  useEffect(followUrl, [searchInUrl])
  function type(text: string) {
    sent.current.push(text)
    setTyped(text)
  }
  return { typed, type }
}

/**
 * The search, the filters and the order of the page's table, stored in the URL. A change replaces
 * the history entry and goes to the first page.
 */
export function useTableView(filters: readonly Filter[], sortKeys: readonly string[]) {
  const query: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Record<string, string | undefined>) =>
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => ({ ...current, page: undefined, ...changes }),
        replace: true,
        resetScroll: false,
      } as never),
    [navigate],
  )

  const chosen: Record<string, string> = useMemo(() => {
    const entries = filters.map(({ key, options }) => {
      const value = textOf(query[key])
      return [key, options.some((option) => option.value === value) ? value : '']
    })
    return Object.fromEntries(entries)
  }, [query, filters])
  const sortText = textOf(query.sort)
  // A string, so that the memo survives a new array of keys.
  const keys = sortKeys.join()
  const sort = useMemo(() => parseSort(sortText, keys.split(',')), [sortText, keys])
  const { typed, type } = useTyped(textOf(query.search))

  return {
    search: typed,
    chosen,
    sort,
    /** True with a search or a filter. */
    isNarrowed: typed.trim() !== '' || Object.values(chosen).some(Boolean),
    searchFor(search: string) {
      type(search)
      change({ search: search || undefined })
    },
    choose: (key: string, value: string) => change({ [key]: value || undefined }),
    orderBy: (sort: Sort | undefined) => change({ sort: sort && formatSort(sort) }),
    clear() {
      type('')
      change({
        search: undefined,
        ...Object.fromEntries(filters.map(({ key }) => [key, undefined])),
      })
    },
  }
}
