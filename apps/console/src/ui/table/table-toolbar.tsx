import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import ListFilter from 'lucide-react/icons/list-filter'
import { type ReactNode, useRef, useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { SearchField } from '../field/search-field.tsx'
import type { SelectOption } from '../field/select-field.tsx'
import { FilterSelect } from './filter-select.tsx'

/** A filter such as the state; the first option is no filter, with an empty value. */
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
  /** The order, for phones: their cards have no headers to click. */
  order: ToolbarChoice | undefined
  texts: { clearSearch: string; clear: string; filters: string }
  /** How many rows there are and how many match; announced when it changes. */
  count: ReactNode
  /** Clears the search and the filters; undefined if no filter is chosen, or no row matches. */
  onClear: (() => void) | undefined
  /** The rows are loading: the toolbar is visible but inert. */
  busy?: boolean
}

/**
 * The search, the filters and the order of a table. On a phone a button shows the filters, whose
 * line would take the place of a row.
 */
export function TableToolbar({ search, filters, order, texts, count, onClear, busy }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const isFiltered = filters.some(({ value }) => value !== '')
  const [isOpen, setIsOpen] = useState(isFiltered)
  return (
    <search inert={busy} className="flex flex-wrap items-center gap-2 print:hidden">
      <div className="flex gap-2 max-sm:w-full sm:contents">
        <SearchField {...search} clearLabel={texts.clearSearch} field={field} />
        {filters.length > 0 && (
          <span className="shrink-0 sm:hidden">
            <IconButton
              icon={ListFilter}
              label={texts.filters}
              variant={isFiltered ? 'current' : 'secondary'}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            />
          </span>
        )}
        {order && <FilterSelect {...order} icon={ArrowUpDown} className="shrink-0 sm:hidden" />}
      </div>
      {filters.map(({ key, ...filter }) => (
        <FilterSelect
          key={key}
          {...filter}
          className={isOpen ? 'max-sm:flex-1' : 'max-sm:hidden'}
        />
      ))}
      {/* A line of its own on a phone, so that the filters keep their width. */}
      <div
        className={
          onClear ? 'flex items-center justify-between gap-2 max-sm:w-full sm:contents' : 'contents'
        }
      >
        {onClear && (
          <Button
            variant="quiet"
            onClick={() => {
              onClear()
              // The button disappears.
              field.current?.focus()
            }}
          >
            {texts.clear}
          </Button>
        )}
        <p
          role="status"
          className={classNames(
            'text-muted max-sm:text-xs sm:ml-auto',
            !onClear && (count === null ? 'max-sm:sr-only' : 'max-sm:w-full'),
          )}
        >
          {/* Reserves its line while the rows load. */}
          {count === undefined ? '\u00A0' : count}
        </p>
      </div>
    </search>
  )
}
