import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
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

/** A line below the rows, such as what they add up to. */
export type TableTotal = { label: string; value: ReactNode; strong?: boolean }

type Props<Row> = {
  /** What the table lists, for screen readers. */
  caption: string
  columns: Column<Row>[]
}

const cellClass =
  'flex justify-between gap-4 px-4 py-1.5 sm:table-cell sm:border-t sm:border-line sm:py-2.5 sm:align-middle'

/*
 * On a phone each row is a card. CSS that turns a table into blocks takes its meaning from assistive
 * technology, so each part names its role again.
 */
const roles = {
  table: { role: 'table' },
  rowGroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader', scope: 'col' },
  rowHeader: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
}

function Frame<Row>({
  caption,
  columns,
  busy,
  totals,
  children,
}: Props<Row> & { busy?: boolean; totals?: readonly TableTotal[]; children: ReactNode }) {
  return (
    // What is hidden in its cells would else stick out of the page where the table is scrolled sideways.
    <div className="relative sm:overflow-x-auto sm:rounded-md sm:border sm:border-line sm:bg-surface">
      <table {...roles.table} aria-busy={busy || undefined} className="block w-full sm:table">
        <caption className="sr-only">{caption}</caption>
        <thead {...roles.rowGroup} className="sr-only sm:not-sr-only sm:table-header-group">
          <tr {...roles.row}>
            {columns.map((column) => (
              <th
                key={column.key}
                {...roles.columnHeader}
                className={classNames(
                  'px-4 py-2 text-xs leading-4 font-medium whitespace-nowrap text-muted',
                  column.align === 'end' ? 'text-right' : 'text-left',
                )}
              >
                {column.actions ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rowGroup} className="grid gap-3 sm:table-row-group">
          {children}
        </tbody>
        {totals && (
          <tfoot {...roles.rowGroup} className="mt-3 grid sm:table-row-group">
            {totals.map((total) => (
              <TotalRow key={total.label} total={total} columns={columns.length} />
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** A total: its value stands where those of the last column do, after its label. */
const TotalRow = ({
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

function Cells<Row>({
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
          {cell(column)}
        </span>
      </Tag>
    )
  })
}

const rowClass =
  'flex flex-col rounded-md border border-line bg-surface py-2 sm:table-row sm:border-0 sm:hover:bg-hover/50'

/** Rows and columns; a list of cards on a phone. */
export function Table<Row>({
  rows,
  rowKey,
  ...frame
}: Props<Row> & {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  totals?: readonly TableTotal[]
}) {
  return (
    <Frame {...frame}>
      {rows.map((row) => (
        <tr key={rowKey(row)} {...roles.row} className={rowClass}>
          <Cells columns={frame.columns} cell={(column) => column.cell(row)} />
        </tr>
      ))}
    </Frame>
  )
}

/** The shape of the table while its rows load. */
export function TableSkeleton<Row>({ rows = 3, ...frame }: Props<Row> & { rows?: number }) {
  return (
    <Frame {...frame} busy>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <tr key={row} {...roles.row} className={rowClass}>
          <Cells
            columns={frame.columns}
            busy
            cell={(column) => <Skeleton className={column.skeleton ?? 'w-24'} />}
          />
        </tr>
      ))}
    </Frame>
  )
}
