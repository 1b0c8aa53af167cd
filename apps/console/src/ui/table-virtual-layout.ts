import { type RefObject, useLayoutEffect, useState } from 'react'

/** How far below the top of the page an element begins, in pixels, whatever is above it comes or goes. */
export function useTopOnPage(element: RefObject<HTMLElement | null>) {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const look = () => {
      const box = element.current?.getBoundingClientRect()
      if (box) setTop(Math.round(box.top + scrollY))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

/**
 * Keeps the columns as wide as the first rows make them: else they would move with every row that comes
 * and goes. One grows when something wider cannot be broken. `columns` says when they are others.
 */
export function useSteadyColumns(body: RefObject<HTMLElement | null>, columns: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other widths
  useLayoutEffect(() => {
    const table = body.current?.closest('table')
    const headers = [...(table?.tHead?.rows[0]?.cells ?? [])]
    const widths = headers.map(({ offsetWidth }) => offsetWidth)
    const whole = widths.reduce((sum, width) => sum + width, 0)
    headers.forEach((header, place) => {
      header.style.width = `${(100 * (widths[place] ?? 0)) / whole}%`
    })
    return () => {
      for (const header of headers) header.style.width = ''
    }
  }, [body, columns])
}
