import { useEffect, useLayoutEffect, useRef } from 'react'

/** The distance between the popup and the edge of the window, in pixels. */
const margin = 4

export type TooltipPopupProps = {
  anchor: HTMLElement
  text: string
  onClose: () => void
}

/** The text of a tooltip. As a popover it is over everything else, and nothing cuts it. */
export function TooltipPopup({ anchor, text, onClose }: TooltipPopupProps) {
  const popup = useRef<HTMLSpanElement>(null)
  // After each render: the text may have changed, and with it the size.
  useLayoutEffect(() => {
    if (!popup.current) return
    popup.current.showPopover?.()
    const { left, top, bottom, width } = anchor.getBoundingClientRect()
    const { offsetWidth, offsetHeight, style } = popup.current
    const end = document.documentElement.clientWidth - offsetWidth - margin
    // The browser would center it.
    style.inset = 'auto'
    style.left = `${Math.max(margin, Math.min(left + (width - offsetWidth) / 2, end))}px`
    style.top = `${bottom + offsetHeight < innerHeight ? bottom : top - offsetHeight}px`
  })
  useEffect(() => {
    const closeByKey = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    document.addEventListener('keydown', closeByKey, true)
    document.addEventListener('scroll', onClose, true)
    return () => {
      document.removeEventListener('keydown', closeByKey, true)
      document.removeEventListener('scroll', onClose, true)
    }
  })
  return (
    <span ref={popup} popover="manual" aria-hidden className="fixed bg-transparent py-1 text-fg">
      <span className="block rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap elevated">
        {text}
      </span>
    </span>
  )
}
