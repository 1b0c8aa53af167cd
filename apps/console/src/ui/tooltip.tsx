import { type ReactNode, useState } from 'react'

/**
 * A short text under the control that is hovered or focused; Escape closes it (WCAG 1.4.13). It
 * repeats the control's accessible name, so screen readers skip it.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [shown, setShown] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes the control inside
    <span
      className="relative inline-flex"
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
    >
      {children}
      {shown && text && (
        <span
          aria-hidden
          className="absolute top-full right-0 z-30 mt-1 rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap elevated"
        >
          {text}
        </span>
      )}
    </span>
  )
}
