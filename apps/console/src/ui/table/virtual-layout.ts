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
