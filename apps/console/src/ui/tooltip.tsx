import { type ReactNode, useState } from 'react'

/**
 * A short text under what the pointer or the focus is on; Escape takes it away (WCAG 1.4.13). It only
 * repeats what the control inside is called, so it says nothing to a screen reader.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [shown, setShown] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches the control inside, and is none
    <span
      className="relative inline-flex"
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
    >
      {children}
      {shown && (
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
