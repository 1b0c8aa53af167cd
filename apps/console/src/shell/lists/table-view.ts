import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { formatSort, parseSort, type Sort } from '../../ui/table/table-sort.ts'

/** Something that rows are narrowed down by, such as their state: a query parameter and its values. */
export type Filter = {
  key: string
  label: string
  /** What the choice of none of them is called. */
  all: string
  options: readonly { value: string; label: string }[]
}

/** What an address says of a table; what it says and nobody knows is as good as not said. */
export type TableView = ReturnType<typeof useTableView>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * What is typed shows at once, and is in the address a moment later: what comes back from there is old
 * then. Anything else in the address came from elsewhere, such as going back, and is what shows.
 */
function useTyped(addressed: string) {
  const [typed, setTyped] = useState(addressed)
  const sent = useRef<string[]>([])
  const follow = useEffectEvent(() => {
    if (addressed === typed) sent.current = []
    else if (!sent.current.includes(addressed)) setTyped(addressed)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the address that is followed
  useEffect(follow, [addressed])
  function type(text: string) {
    sent.current.push(text)
    setTyped(text)
  }
  return { typed, type }
}

/**
 * How the table of the page is looked at: the search, the filters and the order, as the address has them.
 * `change` puts other ones there, in the place of those before, and goes back to the first page.
 */
export function useTableView(filters: readonly Filter[], sortKeys: readonly string[]) {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Record<string, string | undefined>) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, page: undefined, ...changes }),
        replace: true,
        resetScroll: false,
      } as never),
    [navigate],
  )

  const chosen: Record<string, string> = useMemo(() => {
    const given = filters.map(({ key, options }) => {
      const value = textOf(address[key])
      return [key, options.some((option) => option.value === value) ? value : '']
    })
    return Object.fromEntries(given)
  }, [address, filters])
  const ordered = textOf(address.sort)
  const keys = sortKeys.join()
  const sort = useMemo(() => parseSort(ordered, keys.split(',')), [ordered, keys])
  const { typed, type } = useTyped(textOf(address.search))

  return {
    search: typed,
    chosen,
    sort,
    /** True while not all rows may be shown. */
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
