import { type RefObject, useLayoutEffect } from 'react'

/** The parts of the whole that the columns had, and of how many rows. */
export type ColumnWidths = { names: string; count: number; parts: readonly number[] }

/** The parts that the headers have of the whole, in per cent; null where they are not side by side. */
function measure(headers: readonly HTMLElement[]) {
  const widths = headers.map(({ offsetWidth }) => offsetWidth)
  const whole = widths.reduce((sum, width) => sum + width, 0)
  return whole > 0 ? widths.map((width) => (100 * width) / whole) : null
}

function give(headers: readonly HTMLElement[], parts: readonly number[]) {
  headers.forEach((header, place) => {
    header.style.width = parts[place] === undefined ? '' : `${parts[place]}%`
  })
}

/**
 * Keeps the columns as wide as all of the rows made them: else they would move with every row that a search
 * takes away, or that comes and goes while one scrolls. More rows than ever before, or other columns, are
 * measured anew. One grows when something wider cannot be broken. `names` says which columns they are.
 */
export function useStableColumns(
  frame: RefObject<HTMLElement | null>,
  held: RefObject<ColumnWidths | null>,
  { names, count, isPhone }: { names: string; count: number; isPhone: boolean },
) {
  useLayoutEffect(() => {
    const headers = [...(frame.current?.querySelector('table')?.tHead?.rows[0]?.cells ?? [])]
    // There rows are cards, and have no columns.
    if (isPhone) return give(headers, [])
    if (held.current?.names !== names || held.current.count < count) {
      give(headers, [])
      const parts = measure(headers)
      held.current = parts && { names, count, parts }
    }
    if (held.current) give(headers, held.current.parts)
  }, [frame, held, names, count, isPhone])
}
