import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

const pictures = {
  tile: <Skeleton className="w-9 shrink-0" height="h-9" />,
  site: <Skeleton className="w-14 shrink-0" height="h-9" />,
  circle: (
    <span className="flex max-sm:hidden">
      <Skeleton className="w-7 shrink-0" height="h-7" shape="circle" />
    </span>
  ),
}

/** The name of a row while it loads: its picture if rows have one, a line, and a smaller line. */
export const NameSkeleton = ({
  picture,
  children,
}: {
  picture?: keyof typeof pictures
  /** Instead of the two lines. */
  children?: ReactNode
}) => (
  <span className="flex min-h-9 items-center gap-3">
    {picture && pictures[picture]}
    {children ?? (
      <span className="grid gap-2">
        <Skeleton className="w-36" height="h-3" />
        <Skeleton className="w-24" height="h-3" />
      </span>
    )}
  </span>
)
