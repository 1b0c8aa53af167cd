import { Skeleton } from './skeleton.tsx'

const widths = ['w-40', 'w-48', 'w-36']

/** A bordered list of items with a heading and a line of text, while it loads. */
export const RowsSkeleton = () => (
  <div className="divide-y divide-line rounded-md border border-line bg-surface">
    {widths.map((width) => (
      <div key={width} className="grid gap-2 p-4 sm:px-6">
        <Skeleton className={width} height="h-5" />
        <Skeleton className="w-64" />
      </div>
    ))}
  </div>
)
