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
