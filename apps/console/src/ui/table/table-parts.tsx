import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { SortValue } from './table-sort.ts'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** What rows are put in order by; `'server'`, where the server does it. Without it they cannot be. */
  sortBy?: ((row: Row) => SortValue) | 'server'
  /** Numbers stand at the end, so that their places line up. */
  align?: 'end'
  /** The column that names the row: the title of the card on a phone, the row's header for a reader. */
  primary?: boolean
  /** What people have written, which may be long without a gap: it is taken apart where nothing else helps. */
  written?: boolean
  /** Stands at the end of the card on a phone, wherever its column is. */
  last?: boolean
  /** What can be done with the row: its buttons say so themselves, its header is for a reader alone. */
  actions?: boolean
  /** The width of the grey bar while rows load, such as `w-24`. */
  skeleton?: string
}

const cellClass =
  // Where the window is just wide enough for rows, their columns stand closer together; for fingers the rows
  // are as high as their links can be pressed.
  'flex items-baseline justify-between gap-4 px-4 py-1.5 sm:table-cell sm:max-md:px-2 sm:border-t sm:border-line sm:py-2.5 sm:align-middle sm:pointer-coarse:py-4'

export const rowClass =
  'flex flex-col rounded-md border border-line bg-surface py-2 sm:table-row sm:border-0 sm:hover:bg-hover/50'

/*
 * On a phone each row is a card. CSS that turns a table into blocks takes its meaning from assistive
 * technology, so each part names its role again.
 */
export const roles = {
  table: { role: 'table' },
  rowGroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader', scope: 'col' },
  rowHeader: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
}

/** A line below the rows, such as what they add up to. */
export type TableTotal = { label: string; value: ReactNode; strong?: boolean }

/** A total: its value stands where those of the last column do, after its label. */
export const TotalRow = ({
  total: { label, value, strong },
  columns,
}: {
  total: TableTotal
  columns: number
}) => (
  <tr {...roles.row} className="flex flex-col sm:table-row">
    <td {...roles.cell} colSpan={columns} className={cellClass}>
      <span className="flex flex-1 items-baseline justify-end gap-4">
        <span className={strong ? 'font-medium' : 'text-muted'}>{label}</span>
        <span className={classNames('min-w-32 text-right', strong && 'font-semibold')}>
          {value}
        </span>
      </span>
    </td>
  </tr>
)

/** The cells of a row; `busy`: grey bars stand in them. */
export function Cells<Row>({
  columns,
  busy,
  cell,
}: {
  columns: Column<Row>[]
  busy?: boolean
  cell: (column: Column<Row>) => ReactNode
}) {
  return columns.map((column) => {
    // A bar names no row yet.
    const isHeader = column.primary && !busy
    const Tag = isHeader ? 'th' : 'td'
    const content = cell(column)
    return (
      <Tag
        key={column.key}
        {...(isHeader ? roles.rowHeader : roles.cell)}
        className={classNames(
          cellClass,
          column.primary &&
            'order-first text-left text-base font-semibold sm:text-sm sm:font-medium',
          column.last && 'order-last',
          column.align === 'end' && 'sm:text-right',
          // Where nothing can be done with it, a card ends with what it says.
          column.actions && !content && 'max-sm:hidden',
        )}
      >
        {!column.primary && !column.actions && (
          <span aria-hidden className="shrink-0 text-muted sm:hidden">
            {column.header}
          </span>
        )}
        <span
          className={
            column.actions
              ? 'flex flex-1 flex-wrap justify-end gap-2 sm:flex-nowrap'
              : classNames(
                  'min-w-0',
                  // A table takes such words apart rather than grow: they keep room for some of them.
                  column.primary || column.written
                    ? 'wrap-anywhere sm:inline-block sm:min-w-16 sm:text-left md:min-w-24 lg:min-w-36'
                    : 'lg:whitespace-nowrap',
                  !column.primary && 'text-right',
                )
          }
        >
          {content}
        </span>
      </Tag>
    )
  })
}
