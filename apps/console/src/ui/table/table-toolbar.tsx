import { type ReactNode, useRef } from 'react'
import { Button } from '../button.tsx'
import { SearchField } from '../field/search-field.tsx'
import type { SelectOption } from '../field/select-field.tsx'
import { FilterSelect } from './filter-select.tsx'

/** Something to choose from, such as a state; the first option is all of them, with an empty value. */
export type ToolbarChoice = {
  key: string
  label: string
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
}

type Props = {
  search: { label: string; value: string; onChange: (value: string) => void }
  filters: readonly ToolbarChoice[]
  /** The order, for a phone: there the headers are away. */
  order: ToolbarChoice | undefined
  texts: { clearSearch: string; clear: string }
  /** How many rows there are, and how many of them are shown: it is read out when it changes. */
  count: ReactNode
  /** Takes the search and the filters back; undefined while there are none. */
  onClear: (() => void) | undefined
  /** The rows are not there yet: it has its place, and nothing can be done with it. */
  busy?: boolean
}

/** What stands above a table to find rows in it: a search, filters, the order, what is shown. */
export function TableToolbar({ search, filters, order, texts, count, onClear, busy }: Props) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <search
      inert={busy}
      className="flex flex-wrap items-center gap-2 max-sm:*:flex-auto print:hidden"
    >
      <SearchField {...search} clearLabel={texts.clearSearch} field={field} />
      {filters.map(({ key, ...filter }) => (
        <FilterSelect key={key} {...filter} />
      ))}
      {order && <FilterSelect {...order} className="sm:hidden" />}
      {onClear && (
        <Button
          variant="quiet"
          onClick={() => {
            onClear()
            // The button is gone then.
            field.current?.focus()
          }}
        >
          {texts.clear}
        </Button>
      )}
      <p role="status" className="text-muted sm:ml-auto">
        {count}
      </p>
    </search>
  )
}
