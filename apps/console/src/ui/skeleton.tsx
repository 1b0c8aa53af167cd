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
