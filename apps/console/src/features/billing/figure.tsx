import type { ReactNode } from 'react'

/** Figures side by side; on a phone below each other, each with its value at the right. */
export const FigureList = ({ children }: { children: ReactNode }) => (
  <dl className="grid min-w-0 flex-1 gap-x-6 gap-y-4 sm:grid-cols-3">{children}</dl>
)

export const Figure = ({
  label,
  hint,
  children,
}: {
  label: string
  hint?: ReactNode
  children: ReactNode
}) => (
  <div className="flex flex-wrap items-baseline gap-x-4 sm:grid sm:content-start sm:gap-1">
    <dt className="text-muted">{label}</dt>
    <dd className="text-xl leading-8 font-semibold tracking-tight max-sm:ml-auto">{children}</dd>
    {hint && <dd className="text-balance text-muted max-sm:basis-full">{hint}</dd>}
  </div>
)
