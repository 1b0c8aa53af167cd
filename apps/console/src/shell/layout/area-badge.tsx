import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/** The count of an area's unread items, in the link's padding so that nothing moves. */
export function AreaBadge({
  count,
  text,
}: {
  count: number | undefined
  /** For screen readers. */
  text: (inputs: { count: number }) => string
}) {
  if (!count) return null
  return (
    <>
      <span
        aria-hidden
        className="absolute right-0 -mr-2 inline-flex size-4 items-center justify-center rounded-full bg-accent-fill text-xs leading-4 font-medium text-on-fill"
      >
        {count > 9 ? '9+' : count}
      </span>
      <VisuallyHidden> ({text({ count })})</VisuallyHidden>
    </>
  )
}
