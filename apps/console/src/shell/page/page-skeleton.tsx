import { Skeleton } from '../../ui/skeleton.tsx'

export const PageSkeleton = () => (
  <div className="grid gap-6" aria-hidden>
    <div className="flex h-8 items-center justify-between">
      <Skeleton className="w-40" height="h-5" />
    </div>
    <div className="grid gap-6 rounded-md border border-line bg-surface p-6">
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/2" />
      <Skeleton className="w-3/5" />
    </div>
  </div>
)
