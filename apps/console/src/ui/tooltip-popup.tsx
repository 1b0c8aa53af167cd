import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** In pixels, between the popup and the edge of the window. */
const margin = 4

export type TooltipPopupProps = {
  anchor: RefObject<HTMLElement | null>
  text: string
  onClose: () => void
}

/** The text of a tooltip. As a popover it is over everything else, and nothing cuts it. */
export function TooltipPopup({ anchor, text, onClose }: TooltipPopupProps) {
  const popup = useRef<HTMLSpanElement>(null)
  // After each render: the text may have changed, and with it the size.
  useLayoutEffect(() => {
    if (!popup.current || !anchor.current) return
    popup.current.showPopover?.()
    const { left, top, bottom, width } = anchor.current.getBoundingClientRect()
    const { offsetWidth, offsetHeight, style } = popup.current
    const end = document.documentElement.clientWidth - offsetWidth - margin
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
  }, [onClose])
  return (
    <span
      ref={popup}
      popover="manual"
      aria-hidden
      className="fixed inset-auto bg-transparent py-1 text-fg"
    >
      <span className="block rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap elevated">
        {text}
      </span>
    </span>
  )
}
