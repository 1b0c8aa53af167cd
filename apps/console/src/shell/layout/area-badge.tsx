import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/**
 * The count of an area's unread items, between its name and the next one. Its negative margin is
 * its space, so that nothing moves when it has loaded. Nothing without items, or if loading fails.
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
        className="-mr-5 ml-1 inline-flex size-4 items-center justify-center rounded-full bg-accent-fill text-xs leading-4 font-medium text-on-fill"
      >
        {count > 9 ? '9+' : count}
      </span>
      <VisuallyHidden> ({text({ count })})</VisuallyHidden>
    </>
  ) : null
