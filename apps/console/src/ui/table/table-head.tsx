import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { classNames } from '../class-names.ts'
import { useIsPhone } from '../use-is-phone.ts'
import { VisuallyHidden } from '../visually-hidden.tsx'
import { type Column, roles } from './table-parts.tsx'
import { nextSort, type Sort } from './table-sort.ts'

/** The order that a table is in, and how another one is chosen; undefined is the table's own. */
export type TableSort = { current: Sort | undefined; onChange: (sort: Sort | undefined) => void }

/** The headers of the columns; with `sort`, those that rows can be put in order by are buttons. */
export function TableHead<Row>({ columns, sort }: { columns: Column<Row>[]; sort?: TableSort }) {
  // There nobody sees the headers: a button would be a stop for keys that shows nowhere.
  const isPhone = useIsPhone()
  return (
    <thead {...roles.rowGroup} className="sr-only sm:not-sr-only sm:table-header-group">
      <tr {...roles.row}>
        {columns.map((column) => (
          <Header
            key={column.key}
            column={column}
            sort={column.sortBy && sort}
            hasButton={!isPhone}
          />
        ))}
      </tr>
    </thead>
  )
}

const look = 'text-xs leading-4 font-medium whitespace-nowrap text-muted'

function Header<Row>({
  column: { key, header, align, actions },
  sort,
  hasButton,
}: {
  column: Column<Row>
  sort: TableSort | undefined
  hasButton: boolean
}) {
  const current = sort?.current?.key === key ? sort.current : undefined
  return (
    <th
      {...roles.columnHeader}
      aria-sort={current && (current.descending ? 'descending' : 'ascending')}
      className={classNames(
        look,
        'px-4 py-2 sm:max-md:px-2',
        align === 'end' ? 'text-right' : 'text-left',
      )}
    >
      {sort && hasButton ? (
        <SortButton
          header={header}
          atEnd={align === 'end'}
          current={current}
          onPress={() => sort.onChange(nextSort(sort.current, key))}
        />
      ) : actions ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : (
        header
      )}
    </th>
  )
}

/** The arrow has its room before it shows, outside of the column's edge where numbers stand at the end. */
const SortButton = ({
  header,
  atEnd,
  current,
  onPress,
}: {
  header: string
  atEnd: boolean
  current: Sort | undefined
  onPress: () => void
}) => {
  const Arrow = current?.descending ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      onClick={onPress}
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
