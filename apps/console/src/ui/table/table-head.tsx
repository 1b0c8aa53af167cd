import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { classNames } from '../class-names.ts'
import { useIsPhone } from '../use-is-phone.ts'
import { VisuallyHidden } from '../visually-hidden.tsx'
import { type Column, denseClass, roles, wideOnlyClass } from './table-parts.tsx'
import { nextSort, type Sort } from './table-sort.ts'

/** The current order and its change handler; undefined is the table's default order. */
export type TableSort = { current: Sort | undefined; onChange: (sort: Sort | undefined) => void }

/** The column headers; with `sort`, the headers of sortable columns are buttons. */
export function TableHead<Row>({ columns, sort }: { columns: Column<Row>[]; sort?: TableSort }) {
  // On a phone the headers are visually hidden: a button would take an invisible focus.
  const isPhone = useIsPhone()
  const isDense = columns.some(({ fills }) => fills)
  return (
    <thead {...roles.rowGroup} className="sr-only sm:not-sr-only sm:table-header-group">
      <tr {...roles.row}>
        {columns.map((column) => (
          <Header
            key={column.key}
            column={column}
            sort={column.sortBy && sort}
            hasButton={!isPhone}
            isDense={isDense}
          />
        ))}
      </tr>
    </thead>
  )
}

const look = 'text-xs leading-4 font-medium whitespace-nowrap text-muted'

function Header<Row>({
  column: { key, header, align, actions, wideOnly, fills, width },
  sort,
  hasButton,
  isDense,
}: {
  column: Column<Row>
  sort: TableSort | undefined
  hasButton: boolean
  isDense: boolean
}) {
  const current = sort?.current?.key === key ? sort.current : undefined
  return (
    <th
      {...roles.columnHeader}
      aria-sort={current && (current.descending ? 'descending' : 'ascending')}
      style={width ? { width: `${width}%` } : undefined}
      className={classNames(
        look,
        'px-4 py-2 sm:max-md:px-2',
        wideOnly && wideOnlyClass,
        isDense && denseClass,
        fills && 'sm:w-full',
        align === 'end' ? 'text-right' : 'text-left',
      )}
    >
      {sort && hasButton ? (
        <SortButton
          header={header}
          atEnd={align === 'end'}
          current={current}
          onClick={() => sort.onChange(nextSort(sort.current, key))}
        />
      ) : actions ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : (
        header
      )}
    </th>
  )
}

/** Reserves the arrow's space, so that the header does not move. */
const SortButton = ({
  header,
  atEnd,
  current,
  onClick,
}: {
  header: string
  atEnd: boolean
  current: Sort | undefined
  onClick: () => void
}) => {
  const Arrow = current?.descending ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      onClick={onClick}
      className={classNames(
        look,
        'group -my-1 inline-flex items-center align-top gap-1 rounded-md py-1 transition-colors hover:text-fg pointer-coarse:-my-2 pointer-coarse:min-h-11',
        atEnd && 'flex-row-reverse',
        current && 'text-fg',
      )}
    >
      {header}
      <Arrow
        className={classNames(
          'size-3.5 shrink-0 transition-opacity',
          !current && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
        )}
        aria-hidden
      />
    </button>
  )
}
