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
import { Cells, type Column, roles, rowClass } from './table-parts.tsx'
import { useTopOnPage } from './virtual-layout.ts'

type Props<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  bodyClass: string
}

/** The gap between cards, and how high a row is taken for before it is measured, in pixels. */
const looks = { card: { gap: 12, height: 216 }, row: { gap: 0, height: 42 } }
type Look = keyof typeof looks

type Virtualizer = ReturnType<typeof useWindowVirtualizer<HTMLTableRowElement>>

/** What the rows of a table measured: whoever comes back finds the page as high as they left it. */
const measured = new Map<string, ReturnType<Virtualizer['takeSnapshot']>>()

/** The row that has the focus stays, with its neighbours, where the next press of Tab leads. */
function withFocused(range: Range, focused: number) {
  const shown = defaultRangeExtractor(range)
  if (focused < 0) return shown
  const kept = [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < range.count)
  return [...new Set([...kept, ...shown])].sort((one, other) => one - other)
}

/** The place of the row that an event is in; -1 for none. */
const placeOf = ({ target }: SyntheticEvent) =>
  Number((target as Element).closest('tr')?.dataset.index ?? -1)

/** The rows of a long table: those on the screen and some around it; room is kept for the others. */
export function VirtualRows<Row>(props: Props<Row>) {
  const look = useIsPhone() ? 'card' : 'row'
  // Cards measure other than rows do.
  return <Rows key={look} {...props} look={look} />
}

function Rows<Row>({
  caption,
  columns,
  rows,
  rowKey,
  bodyClass,
  look,
}: Props<Row> & { look: Look }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const focused = useRef(-1)
  const { gap, height } = looks[look]
  const place = `${caption} ${look}`
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
    initialMeasurementsCache: measured.get(place) ?? [],
  })
  useEffect(
    () => () => {
      measured.set(place, virtualizer.takeSnapshot())
    },
    [place, virtualizer],
  )

  // What is above the first row, between two that are apart, and below the last one.
  let end = top
  const shown = virtualizer.getVirtualItems().map((item, nth) => {
    const room = item.start - end - (nth === 0 ? 0 : gap)
    end = item.end
    // The room itself has a gap around it.
    return { ...item, room: room > 0 ? room - gap : 0 }
  })
  const below = top + virtualizer.getTotalSize() - end

  return (
    <tbody
      ref={body}
      {...roles.rowGroup}
      className={bodyClass}
      onFocus={(event) => {
        focused.current = placeOf(event)
      }}
      onBlur={() => {
        focused.current = -1
      }}
    >
      {shown.map(({ key, index, room }) => (
        <Fragment key={key}>
          {room > 0 && <Room height={room} />}
          <VirtualRow
            columns={columns}
            row={rows[index] as Row}
            index={index}
            measure={virtualizer.measureElement}
          />
        </Fragment>
      ))}
      {below > gap && <Room height={below - gap} />}
    </tbody>
  )
}

const Room = ({ height }: { height: number }) => (
  <tr aria-hidden className="block sm:table-row" style={{ height }}>
    <td />
  </tr>
)

/** A row that stays on the screen is not rendered again while others come and go. */
function VirtualRow<Row>({
  columns,
  row,
  index,
  measure,
}: {
  columns: Column<Row>[]
  row: Row
  index: number
  measure: Ref<HTMLTableRowElement>
}) {
  const cells = useMemo(
    () => <Cells columns={columns} cell={(column) => column.cell(row)} />,
    [columns, row],
  )
  return (
    // The header is the first row.
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      {...roles.row}
      className={rowClass}
    >
      {cells}
    </tr>
  )
}
