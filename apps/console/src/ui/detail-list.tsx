import type { ReactNode } from 'react'

export const DetailList = ({ children }: { children: ReactNode }) => (
  <dl className="-my-3 divide-y divide-line">{children}</dl>
)

/** A label and its value; stacked on a phone. */
export const Detail = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="grid min-h-13 items-baseline gap-x-4 gap-y-1 py-3 sm:py-4 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]">
    <dt className="text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)
