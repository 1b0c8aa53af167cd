import type { ReactNode } from 'react'

const columns = { gridTemplateColumns: 'repeat(auto-fit, minmax(min(14rem, 100%), 1fr))' }

/** Figures side by side; on a phone below each other. */
export const FigureList = ({ children }: { children: ReactNode }) => (
  <dl className="grid min-w-0 flex-1 gap-x-6 gap-y-4" style={columns}>
    {children}
  </dl>
)

/** A value between its label and its note. An amount is larger than a name. */
export const Figure = ({
  label,
  hint,
  isName,
  children,
}: {
  label: string
  hint?: ReactNode
  isName?: boolean
  children: ReactNode
}) => (
  <div className="grid content-start gap-1">
    <dt className="text-muted">{label}</dt>
    <dd className={isName ? 'leading-8 font-medium' : 'text-xl leading-8 font-semibold'}>
      {children}
    </dd>
    {hint && <dd className="text-muted">{hint}</dd>}
  </div>
)
