import { Skeleton } from '../../ui/skeleton.tsx'

/** The entries of an activity list while they load. */
export const ActivityListSkeleton = ({ rows }: { rows: number }) => (
  <div className="-my-3 min-w-0 divide-y divide-line" aria-hidden>
    {Array.from({ length: rows }, (_, row) => String(row)).map((row) => (
      <div key={row} className="flex gap-3 py-3">
        <Skeleton className="w-7 shrink-0" height="h-7" shape="circle" />
        <div className="flex min-w-0 flex-col gap-1.5 pt-1.5">
          <Skeleton className="w-52" />
          <Skeleton className="w-24" height="h-3" />
        </div>
      </div>
    ))}
  </div>
)
