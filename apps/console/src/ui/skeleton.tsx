import { classNames } from './class-names.ts'

/** A gray bar in place of text that loads. `className` sets the text's width, such as `w-32`. */
export const Skeleton = ({ className = 'w-32' }: { className?: string }) => (
  <span
    aria-hidden
    className={classNames(
      'inline-block h-4 max-w-full animate-shimmer rounded-md bg-line align-middle',
      className,
    )}
  />
)
