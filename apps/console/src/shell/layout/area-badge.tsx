import { useEffect } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

const storageKey = 'areaBadges'

/** The areas that had a badge when this device last loaded the counts. */
const lastAreas = () => (localStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean)

function storeBadge(area: string, isShown: boolean) {
  const others = lastAreas().filter((name) => name !== area)
  localStorage.setItem(storageKey, [...others, ...(isShown ? [area] : [])].join(' '))
}

/** The space of a badge that is not loaded yet, if the area had one. */
export const BadgeSpace = ({ area }: { area: string }) =>
  lastAreas().includes(area) ? <span aria-hidden className="size-4" /> : null

/** The count of an area's unread items: its space while it loads, nothing if that fails. */
export function AreaBadge({
  area,
  count,
  hasFailed,
  text,
}: {
  area: string
  count: number | undefined
  hasFailed: boolean
  /** The text for screen readers. */
  text: (inputs: { count: number }) => string
}) {
  useEffect(() => {
    if (count !== undefined) storeBadge(area, count > 0)
  }, [area, count])
  if (count === undefined && !hasFailed) return <BadgeSpace area={area} />
  if (!count) return null
  return (
    <>
      <span
        aria-hidden
        className="inline-flex size-4 items-center justify-center rounded-full bg-accent-fill text-xs leading-4 font-medium text-on-fill"
      >
        {count > 9 ? '9+' : count}
      </span>
      <VisuallyHidden> ({text({ count })})</VisuallyHidden>
    </>
  )
}
