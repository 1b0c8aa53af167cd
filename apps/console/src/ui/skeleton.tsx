import { classNames } from './class-names.ts'

type Props = {
  /** The width, such as `w-32`. */
  className?: string
  /** The height, where it is not that of a text. */
  height?: string
  shape?: keyof typeof shapes
}

const shapes = { bar: 'rounded-md', circle: 'rounded-full' }

/** A gray shape in place of content that loads: by default a line of text. */
export const Skeleton = ({ className = 'w-32', height = 'h-4', shape = 'bar' }: Props) => (
  <span
    aria-hidden
    className={classNames(
      'inline-block max-w-full animate-shimmer bg-line align-middle',
      shapes[shape],
      height,
      className,
    )}
  />
)

/** The heights of the bars of `BarsSkeleton`, in pixels. */
const barHeights = [64, 48, 32, 40, 80, 112, 144, 160, 152, 128, 120, 96]

/** The bars of a chart while its figures load, 160 pixels high. */
export const BarsSkeleton = () => (
  <div aria-hidden className="flex w-full items-end gap-2">
    {barHeights.map((height) => (
      <span key={height} style={{ height }} className="flex-1 animate-shimmer rounded-md bg-line" />
    ))}
  </div>
)

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
