import type { ReactNode } from 'react'

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
  <div className="grid content-start gap-1">
    <dt className="text-muted">{label}</dt>
    <dd
      className="text-xl leading-8 font-semibold tracking-tight"
      // A class would add to the style sheet of every page; only one figure is large.
      style={large ? { fontSize: '1.75rem' } : undefined}
    >
      {children}
    </dd>
    {hint && <dd className="text-balance text-muted">{hint}</dd>}
  </div>
)
