import { fit, fitRight, width } from './text.ts'

export type Column<Row> = {
  title: string
  cell: (row: Row) => string
  /** Aligns the title and the cells, such as numbers, at the right. */
  alignRight?: boolean
  /** Styles the fitted cell. It must not change its width. */
  style?: (text: string, row: Row) => string
  /** The column may shrink: in a narrow terminal to `preferred`, then as far as `min`. */
  narrowWidth?: { preferred: number; min: number }
}

const gap = '  '

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Narrows the widest column that can shrink until all fit or none can shrink. */
function shrink(
  layout: readonly Pick<Column<never>, 'narrowWidth'>[],
  widths: number[],
  available: number,
) {
  if (sum(widths) <= available) return widths
  const fitted = widths.map((each, i) => Math.min(each, layout[i]?.narrowWidth?.preferred ?? each))
  const minWidths = layout.map(({ narrowWidth }, i) => narrowWidth?.min ?? fitted[i] ?? 0)
  while (sum(fitted) > available) {
    const shrinkable = fitted.map((each, i) => (each > (minWidths[i] ?? each) ? each : 0))
    const widest = shrinkable.indexOf(Math.max(...shrinkable))
    if (!shrinkable[widest]) break
    fitted[widest] = (fitted[widest] ?? 0) - 1
  }
  return fitted
}

/** Formats rows as aligned lines below their titles, at most `columns` wide if possible. */
export function table<Row>(
  layout: readonly Column<Row>[],
  rows: readonly Row[],
  { columns, heading }: { columns: number; heading: (text: string) => string },
): string[] {
  const cells = rows.map((row) => layout.map(({ cell }) => cell(row)))
  const contentWidths = layout.map(({ title }, i) =>
    Math.max(width(title), ...cells.map((line) => width(line[i] ?? ''))),
  )
  const widths = shrink(layout, contentWidths, columns - gap.length * (layout.length - 1))
  const align = (text: string, i: number) =>
    (layout[i]?.alignRight ? fitRight : fit)(text, widths[i] ?? 0)
  const titles = layout.map(({ title }, i) => heading(align(title, i)))
  const lines = rows.map((row, line) =>
    layout.map(({ style = (text) => text }, i) => style(align(cells[line]?.[i] ?? '', i), row)),
  )
  return [titles, ...lines].map((line) => line.join(gap).trimEnd())
}
