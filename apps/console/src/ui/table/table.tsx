import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../skeleton.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import { type ColumnWidths, useStableColumns } from './table-columns.ts'
import { TableHead, type TableSort } from './table-head.tsx'
import {
  bodyClass,
  Cells,
  type Column,
  roles,
  rowClass,
  type TableTotal,
  TotalRow,
} from './table-parts.tsx'

type Props<Row> = {
  /** Names the table for screen readers. */
  caption: string
  columns: Column<Row>[]
  /** On a phone a row has two lines: its name, and at the right the `inCompact` columns. */
  compact?: boolean | undefined
  /** True inside a card: the table shares its border, and their texts and lines align. */
  inCard?: boolean | undefined
}

export type TableProps<Row> = Props<Row> & {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  totals?: readonly TableTotal[] | undefined
  sort?: TableSort
  /** Stores the column widths while a search unmounts the table. */
  widths?: RefObject<ColumnWidths | null>
}

function Frame<Row>({
  caption,
  columns,
  busy,
  sort,
  totals,
  rowCount,
  frame,
  inCard,
  compact,
  children,
}: Props<Row> &
  Pick<TableProps<Row>, 'sort' | 'totals'> & {
    busy?: boolean
    rowCount?: number
    frame?: RefObject<HTMLDivElement | null>
    children: ReactNode
  }) {
  return (
    // `relative` contains visually hidden texts, which would otherwise widen the page.
    <div
      ref={frame}
      className={classNames(
        '@container relative sm:overflow-x-auto',
        inCard
          ? 'table-in-card'
          : compact
            ? 'rounded-md border border-line bg-surface max-sm:overflow-hidden'
            : 'sm:rounded-md sm:border sm:border-line sm:bg-surface',
      )}
    >
      <table
        {...roles.table}
        aria-busy={busy || undefined}
        aria-rowcount={rowCount}
        className="block w-full sm:table"
      >
        <caption className="sr-only">{caption}</caption>
        <TableHead columns={columns} sort={sort} />
        {children}
        {totals && (
          <tfoot {...roles.rowGroup} className="grid sm:table-row-group">
            {totals.map((total, index) => (
              <TotalRow
                key={total.label}
                total={total}
                columns={columns.length}
                isFirst={index === 0}
                isBeforeRule={!!totals[index + 1]?.strong}
              />
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** A table with more rows renders only the visible ones (docs/decisions/0025). */
const virtualFrom = 100

type VirtualRows = typeof import('./virtual-rows.tsx')['VirtualRows']

/** Outlives the component, so that going back to a long table renders its full height at once. */
let loadedVirtualRows: VirtualRows | undefined

/** The virtual rows of a long table; undefined while their chunk loads, and for a short table. */
function useVirtualRows(isLong: boolean) {
  const [part, setPart] = useState(() => loadedVirtualRows)
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    if (!isLong || loadedVirtualRows) return
    import('./virtual-rows.tsx').then(
      ({ VirtualRows }) => {
        loadedVirtualRows = VirtualRows
        setPart(() => VirtualRows)
      },
      (error: unknown) => {
        // Then all rows are rendered, which is slow but complete.
        setHasFailed(true)
        reportError(error)
      },
    )
  }, [isLong])
  return { VirtualRows: isLong ? (part ?? loadedVirtualRows) : undefined, hasFailed }
}

/** A table; a list of cards on a phone. */
export function Table<Row>({ rows, rowKey, sort, widths, ...parts }: TableProps<Row>) {
  const isLong = rows.length > virtualFrom
  const { VirtualRows, hasFailed } = useVirtualRows(isLong)
  const element = useRef<HTMLDivElement>(null)
  const ownWidths = useRef<ColumnWidths>(null)
  useStableColumns(element, widths ?? ownWidths, {
    names: parts.columns.map(({ header }) => header).join(),
    count: rows.length,
    isPhone: useIsPhone(),
    areDeclared: parts.columns.some(({ width }) => width),
  })
  const frame = { ...parts, frame: element }
  if (VirtualRows)
    return (
      <Frame {...frame} sort={sort} rowCount={rows.length + 1}>
        <VirtualRows {...parts} rows={rows} rowKey={rowKey} />
      </Frame>
    )
  const shown = isLong && !hasFailed ? rows.slice(0, virtualFrom / 2) : rows
  return (
    <Frame {...frame} sort={rows.length > 1 ? sort : undefined} busy={shown !== rows}>
      <tbody {...roles.rowGroup} className={bodyClass(parts.compact)}>
        {shown.map((row) => (
          <tr key={rowKey(row)} {...roles.row} className={rowClass(parts.compact)}>
            <Cells
              columns={frame.columns}
              compact={parts.compact}
              cell={(column) => column.cell(row)}
            />
          </tr>
        ))}
      </tbody>
    </Frame>
  )
}

export function TableSkeleton<Row>({
  rows = 3,
  ...frame
}: Props<Row> & Pick<TableProps<Row>, 'totals'> & { rows?: number }) {
  return (
    <Frame {...frame} busy>
      <tbody {...roles.rowGroup} className={bodyClass(frame.compact)}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all rows are the same
          <tr key={row} {...roles.row} className={rowClass(frame.compact)}>
            <Cells
              columns={frame.columns}
              compact={frame.compact}
              busy
              cell={({ skeleton = 'w-24' }) =>
                typeof skeleton === 'string' ? <Skeleton className={skeleton} /> : skeleton
              }
            />
          </tr>
        ))}
      </tbody>
    </Frame>
  )
}
