import { type RefObject, useLayoutEffect } from 'react'

/** Measured column widths in per cent, the headers they belong to, and the number of rows then. */
export type ColumnWidths = { names: string; count: number; percentages: readonly number[] }

/** The widths of the headers in per cent of the table; null if the table is not laid out. */
function measure(headers: readonly HTMLElement[]) {
  const widths = headers.map(({ offsetWidth }) => offsetWidth)
  const total = widths.reduce((sum, width) => sum + width, 0)
  return total > 0 ? widths.map((width) => (100 * width) / total) : null
}

function setWidths(headers: readonly HTMLElement[], percentages: readonly number[]) {
  headers.forEach((header, index) => {
    header.style.width = percentages[index] === undefined ? '' : `${percentages[index]}%`
  })
}

/**
 * Fixes the columns at their widths with all rows. Otherwise they would change whenever a search or
 * virtual scrolling adds or removes rows. They are measured again for more rows than before or for
 * other columns; `names` identifies the columns. Columns that declare their widths keep them.
 */
export function useStableColumns(
  frame: RefObject<HTMLElement | null>,
  widths: RefObject<ColumnWidths | null>,
  {
    names,
    count,
    isPhone,
    areDeclared,
  }: { names: string; count: number; isPhone: boolean; areDeclared: boolean },
) {
  useLayoutEffect(() => {
    if (areDeclared) return
    const headers = [...(frame.current?.querySelector('table')?.tHead?.rows[0]?.cells ?? [])]
    // On a phone rows are cards and have no columns.
    if (isPhone) return setWidths(headers, [])
    if (widths.current?.names !== names || widths.current.count < count) {
      setWidths(headers, [])
      const percentages = measure(headers)
      widths.current = percentages && { names, count, percentages }
    }
    if (widths.current) setWidths(headers, widths.current.percentages)
  }, [frame, widths, names, count, isPhone, areDeclared])
}
