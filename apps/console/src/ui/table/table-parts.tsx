import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { SortValue } from './table-sort.ts'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** The value to sort rows by; `'server'` if the server sorts. Omit to disable sorting. */
  sortBy?: ((row: Row) => SortValue) | 'server'
  /** `end` for numbers: aligns their digits. */
  align?: 'end'
  /** The row's name: the card's title on a phone, the row header for screen readers. */
  primary?: boolean
  /** Takes the space that the other columns leave. Its content truncates itself. */
  fills?: boolean
  /** In per cent of the table. For a list in pages: its columns do not depend on the rows. */
  width?: number
  /** Text that users typed: a long word may break anywhere. */
  userText?: boolean
  /** In a compact table on a phone: the column is at the right of the row's name; actions last. */
  inCompact?: boolean
  /** In a compact table on a phone: the row's buttons are below its name. */
  below?: boolean
  /** Only a wide table has room for the column. */
  wideOnly?: boolean
  /** The row's buttons: the header is for screen readers only. */
  actions?: boolean
  /** The skeleton while rows load: the width of a line, such as `w-24`, or an element. */
  skeleton?: string | ReactElement
}

const cellClass =
  // Columns are closer together in narrow windows; touch screens have higher rows.
  'flex items-baseline justify-between gap-4 px-4 py-1.5 sm:table-cell sm:max-md:px-2 sm:border-t sm:border-line sm:py-2.5 sm:align-middle sm:pointer-coarse:py-4'

/** On a phone lines separate the rows of a compact table; the other rows are cards. */
export const bodyClass = (compact: boolean | undefined) =>
  classNames('grid sm:table-row-group', compact ? 'divide-y divide-line' : 'gap-3')

/**
 * A row is a card on a phone, in a compact table two lines. The row is the containing block of
 * `rowLinkClass`.
 */
export const rowClass = (compact: boolean | undefined) =>
  classNames(
    'border-line py-2 sm:table-row sm:border-0',
    compact
      ? 'relative grid grid-cols-[minmax(0,1fr)_auto] items-center hover:bg-hover/50'
      : 'flex flex-col rounded-md border bg-surface sm:hover:bg-hover/50',
  )

/** Makes a link's target the whole row; the other controls of the row are `relative`. */
export const rowLinkClass = 'after:absolute after:inset-0'

// On a phone each row is a card. CSS that displays a table as blocks removes its semantics, so each
// part states its role.
export const roles = {
  table: { role: 'table' },
  rowGroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader', scope: 'col' },
  rowHeader: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
}

/** A line below the rows, such as their sum. */
export type TableTotal = {
  label: string
  /** How the value comes about, below the label. */
  note?: string | undefined
  value: ReactNode
  strong?: boolean
  large?: boolean
}

const totalClass = 'px-4 py-1.5 sm:table-cell sm:max-md:px-2 sm:text-right'

/** The same space above and below the totals between two lines. */
const totalStyle = (isFirst: boolean, isBeforeRule: boolean, { strong, large }: TableTotal) => ({
  paddingTop: isFirst || strong ? 12 : undefined,
  paddingBottom: isBeforeRule ? 12 : undefined,
  fontSize: large ? '1rem' : undefined,
})

/** Between the rows and the totals, and above the strong one. */
const totalsRuleClass = 'sm:border-t sm:border-line'

/** The value is in the last column, and the label in the one before it. */
export const TotalRow = ({
  total,
  columns,
  isFirst,
  isBeforeRule,
}: {
  total: TableTotal
  columns: number
  isFirst: boolean
  /** True for the row above a strong one. */
  isBeforeRule: boolean
}) => (
  <tr
    {...roles.row}
    className={classNames(
      'flex justify-between sm:table-row',
      (isFirst || total.strong) && 'max-sm:border-t max-sm:border-line',
    )}
  >
    <td
      {...roles.cell}
      colSpan={columns - 1}
      style={totalStyle(isFirst, isBeforeRule, total)}
      className={classNames(
        totalClass,
        (isFirst || total.strong) && totalsRuleClass,
        total.strong ? 'font-semibold' : 'text-muted',
      )}
    >
      {total.label}
      {total.note && <span className="block font-normal text-muted">{total.note}</span>}
    </td>
    <td
      {...roles.cell}
      style={totalStyle(isFirst, isBeforeRule, total)}
      className={classNames(
        totalClass,
        (isFirst || total.strong) && totalsRuleClass,
        total.strong && 'font-semibold',
      )}
    >
      {total.value}
    </td>
  </tr>
)

/** For a cell and for its header: hidden in a table of less than 50rem. */
export const wideOnlyClass = 'sm:@max-[50rem]:hidden'

/** For what another cell shows in place of a `wideOnly` column, also on a phone. */
export const narrowOnlyClass = 'sm:@min-[50rem]:hidden'

/** Leaves its space to the column that fills a table of less than 68rem. */
export const denseClass =
  'md:@max-[68rem]:px-2 md:@max-[68rem]:first:pl-4 md:@max-[68rem]:last:pr-4'

/** Long words break instead of widening the table; the column keeps a minimum width. */
const breakingClass =
  'wrap-anywhere sm:inline-block sm:min-w-16 sm:text-left md:min-w-24 lg:min-w-36'

const textClass = ({
  fills,
  primary,
  userText,
}: Pick<Column<never>, 'fills' | 'primary' | 'userText'>) =>
  fills ? 'sm:block' : primary || userText ? breakingClass : 'lg:whitespace-nowrap'

/** Beside both lines of a row on a phone. */
const compactActionsClass = 'max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:pl-0'

/** Cells of a table ignore it. */
const belowStyle = { gridColumn: '1 / -1', marginTop: 8 }

const compactClasses = {
  true: 'max-sm:justify-self-end max-sm:py-0.5 max-sm:pl-0',
  false: 'max-sm:hidden',
}

/** The cells of a row; with `busy` they contain skeletons. */
export function Cells<Row>({
  columns,
  compact,
  busy,
  cell,
}: {
  columns: Column<Row>[]
  compact: boolean | undefined
  busy?: boolean
  cell: (column: Column<Row>) => ReactNode
}) {
  const isAmount = ({ align, inCompact }: Column<Row>) => align === 'end' && inCompact
  // On a phone an amount is on the baseline of the row's name. A class would add to the style sheet
  // of every page; cells of a table ignore the property.
  const alignsAmount = compact && columns.some(isAmount)
  const isDense = columns.some(({ fills }) => fills)
  const isAlone = columns.filter(({ inCompact }) => inCompact).length === 1
  return columns.map((column) => {
    // A row of skeletons has no header cell.
    const isHeader = column.primary && !busy
    const Tag = isHeader ? 'th' : 'td'
    const content = cell(column)
    return (
      <Tag
        key={column.key}
        {...(isHeader ? roles.rowHeader : roles.cell)}
        style={
          column.below
            ? belowStyle
            : alignsAmount && (column.primary || isAmount(column))
              ? { alignSelf: 'baseline' }
              : undefined
        }
        className={classNames(
          cellClass,
          column.primary &&
            'order-first text-left text-base font-semibold sm:text-sm sm:font-medium',
          column.wideOnly && wideOnlyClass,
          isDense && denseClass,
          // The minimum width of the column.
          column.fills && 'sm:max-w-40',
          compact &&
            (column.primary
              ? 'max-sm:row-span-2 max-sm:pr-2'
              : column.below
                ? 'max-sm:pb-3'
                : column.actions && column.inCompact
                  ? compactActionsClass
                  : compactClasses[`${!!column.inCompact}`]),
          // Beside both lines of the name.
          compact && isAlone && column.inCompact && !column.below && 'max-sm:row-span-2',
          column.align === 'end' && 'sm:text-right',
          // A card without actions has no empty last line.
          column.actions && !content && 'max-sm:hidden',
          // A row is not known to have buttons below its name before it is loaded.
          column.below && busy && 'max-sm:hidden',
        )}
      >
        {!column.primary && !column.actions && !compact && (
          <span aria-hidden className="shrink-0 text-muted sm:hidden">
            {column.header}
          </span>
        )}
        <span
          className={
            column.actions
              ? 'flex flex-1 flex-wrap justify-end gap-2 sm:flex-nowrap'
              : classNames('min-w-0', textClass(column), !column.primary && 'text-right')
          }
        >
          {content}
        </span>
      </Tag>
    )
  })
}
