import { type ReactNode, useRef, useState } from 'react'
import { useOnDemand } from './on-demand.ts'

const loadPopup = () => import('./tooltip-popup.tsx')

/**
 * A short text at the control that the pointer hovers over or the keyboard focuses; Escape closes
 * it (WCAG 1.4.13). It repeats the control's accessible name, so screen readers skip it.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const anchor = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)
  const [close] = useState(() => () => setShown(false))
  const { part, fetch } = useOnDemand(loadPopup)
  function show() {
    setShown(true)
    void fetch()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes the control inside
    <span
      ref={anchor}
      className="inline-flex align-middle"
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && show()}
      onPointerLeave={close}
      onFocus={({ target }) => target.matches(':focus-visible') && show()}
      onBlur={close}
    >
      {children}
      {part && shown && text && <part.TooltipPopup anchor={anchor} text={text} onClose={close} />}
    </span>
  )
}
