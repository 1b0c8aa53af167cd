import { type ComponentType, type ReactNode, type SyntheticEvent, useState } from 'react'
import type { TooltipPopupProps } from './tooltip-popup.tsx'

/**
 * A short text at the control that the pointer hovers over or the keyboard focuses; Escape closes
 * it (WCAG 1.4.13). It repeats the control's accessible name, so screen readers skip it.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  /** The element whose tooltip is shown; null while it is hidden. */
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [popup, setPopup] = useState<{ TooltipPopup: ComponentType<TooltipPopupProps> }>()
  const close = () => setAnchor(null)
  function show({ currentTarget }: SyntheticEvent<HTMLElement>) {
    setAnchor(currentTarget)
    // Without its chunk there is no tooltip; the next hover requests it again.
    import('./tooltip-popup.tsx').then(setPopup, () => undefined)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes the control inside
    <span
      className="inline-flex align-middle"
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(event)}
      onPointerLeave={close}
      onFocus={(event) => event.target.matches(':focus-visible') && show(event)}
      onBlur={close}
    >
      {children}
      {popup && anchor && text && (
        <popup.TooltipPopup anchor={anchor} text={text} onClose={close} />
      )}
    </span>
  )
}
