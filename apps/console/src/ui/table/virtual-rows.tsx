import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  Fragment,
  type Ref,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { useIsPhone } from '../use-is-phone.ts'
import { bodyClass, Cells, type Column, roles, rowClass } from './table-parts.tsx'
import { useTopOnPage } from './virtual-layout.ts'

type Props<Row> = {
  caption: string
  columns: Column<Row>[]
  compact?: boolean | undefined
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** The gap between rows and their estimated height, in pixels. */
const layouts = {
  card: { gap: 12, height: 216 },
  compact: { gap: 0, height: 61 },
  row: { gap: 0, height: 42 },
  /** A row with a picture and a second line. */
  tallRow: { gap: 0, height: 57 },
}
type Layout = keyof typeof layouts

type Virtualizer = ReturnType<typeof useWindowVirtualizer<HTMLTableRowElement>>

/** The measured heights of each table, so that the page has its height at once after Back. */
const measurements = new Map<string, ReturnType<Virtualizer['takeSnapshot']>>()

/** The visible rows, the focused one and its neighbors, which Tab goes to. */
function withFocused(range: Range, focused: number) {
  const visible = defaultRangeExtractor(range)
  if (focused < 0) return visible
  const around = [focused - 1, focused, focused + 1].filter(
    (index) => index >= 0 && index < range.count,
  )
  return [...new Set([...around, ...visible])].sort((one, other) => one - other)
}

/** The index of the row that an event is in; -1 for none. */
const rowIndexOf = ({ target }: SyntheticEvent) =>
  Number((target as Element).closest('tr')?.dataset.index ?? -1)

/** The rows of a long table: the visible ones and some around them, with spacers for the others. */
export function VirtualRows<Row>(props: Props<Row>) {
  const { compact, columns } = props
  const wideLayout = columns.some(({ fills }) => fills) ? 'tallRow' : 'row'
  const phoneLayout = compact ? 'compact' : 'card'
  const layout = useIsPhone() ? phoneLayout : wideLayout
  // The key discards the measurements of the other layout.
  return <Rows key={layout} {...props} layout={layout} />
}

function Rows<Row>({
  caption,
  columns,
  compact,
  rows,
  rowKey,
  layout,
}: Props<Row> & { layout: Layout }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const focused = useRef(-1)
  const { gap, height } = layouts[layout]
  const tableKey = `${caption} ${layout}`
  const top = useTopOnPage(body)

  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    gap,
    overscan: 6,
    scrollMargin: top,
    estimateSize: () => height,
    getItemKey: useCallback((index) => rowKey(rows[index] as Row), [rows, rowKey]),
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused.current), []),
    initialRect: { width: innerWidth, height: innerHeight },
    initialMeasurementsCache: measurements.get(tableKey) ?? [],
  })
  useEffect(
    () => () => {
      measurements.set(tableKey, virtualizer.takeSnapshot())
    },
    [tableKey, virtualizer],
  )

  // The space before each rendered row, in place of the omitted rows.
  let end = top
  const visible = virtualizer.getVirtualItems().map((item, nth) => {
    const space = item.start - end - (nth === 0 ? 0 : gap)
    end = item.end
    // The spacer itself has a gap around it.
    return { ...item, space: space > 0 ? space - gap : 0 }
  })
  const spaceBelow = top + virtualizer.getTotalSize() - end

  return (
    <tbody
      ref={body}
      {...roles.rowGroup}
      className={bodyClass(compact)}
      onFocus={(event) => {
        focused.current = rowIndexOf(event)
      }}
      onBlur={() => {
        focused.current = -1
      }}
    >
      {visible.map(({ key, index, space }) => (
        <Fragment key={key}>
          {space > 0 && <Spacer height={space} />}
          <VirtualRow
            columns={columns}
            compact={compact}
            row={rows[index] as Row}
            index={index}
            measure={virtualizer.measureElement}
          />
        </Fragment>
      ))}
      {spaceBelow > gap && <Spacer height={spaceBelow - gap} />}
    </tbody>
  )
}

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden className="block sm:table-row" style={{ height }}>
    <td />
  </tr>
)

/** The cells of a row that stays visible are not rendered again while the user scrolls. */
function VirtualRow<Row>({
  columns,
  compact,
  row,
  index,
  measure,
}: {
  columns: Column<Row>[]
  compact: boolean | undefined
  row: Row
  index: number
  measure: Ref<HTMLTableRowElement>
}) {
  const cells = useMemo(
    () => <Cells columns={columns} compact={compact} cell={(column) => column.cell(row)} />,
    [columns, compact, row],
  )
  return (
    // The header is the first row.
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      {...roles.row}
      className={rowClass(compact)}
    >
      {cells}
    </tr>
  )
}
