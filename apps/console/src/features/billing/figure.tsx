import type { ReactNode } from 'react'

/** Figures side by side; on a phone below each other, each with its value at the right. */
export const FigureList = ({ children }: { children: ReactNode }) => (
  <dl className="grid min-w-0 flex-1 gap-x-6 gap-y-4 sm:grid-cols-3">{children}</dl>
)

/** A class would add to the style sheet of every page; only one figure of a card is large. */
const largeStyle = { fontSize: '1.75rem', lineHeight: 0.8 }

export const Figure = ({
  label,
  hint,
  large,
  children,
}: {
  label: string
  hint?: ReactNode
  large?: boolean
  children: ReactNode
}) => (
  <div className="flex flex-wrap items-baseline gap-x-4 sm:grid sm:content-start sm:gap-1">
    <dt className="text-muted">{label}</dt>
    <dd className="text-xl leading-8 font-semibold tracking-tight max-sm:ml-auto">
      {/* Inside the line of the other figures, so that all share a baseline. */}
      {large ? <span style={largeStyle}>{children}</span> : children}
    </dd>
    {hint && <dd className="text-balance text-muted max-sm:basis-full">{hint}</dd>}
  </div>
)
