import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/**
 * The count of an area's unread items, beside its name; in a narrow window beside its upper end. It
 * takes no space, so that nothing moves when it has loaded. Nothing without items, or if loading
 * fails.
 */
export const AreaBadge = ({
  count,
  text,
}: {
  count: number | undefined
  /** The text for screen readers. */
  text: (inputs: { count: number }) => string
}) =>
  count ? (
    <>
      <span
        aria-hidden
        className="absolute top-1.5 -right-2.5 inline-flex size-4 items-center justify-center rounded-full bg-accent-fill text-xs leading-4 font-medium text-on-fill md:top-3 md:-right-1.5 lg:top-5 lg:-right-2.5"
      >
        {count > 9 ? '9+' : count}
      </span>
      <VisuallyHidden> ({text({ count })})</VisuallyHidden>
    </>
  ) : null
