import type { ReactNode } from 'react'
import { buttonClass } from '../button.tsx'

/** How many pages are linked on either side of the current one. */
const reach = 3

/** How many pages fit between Previous and Next on a phone; more are on a line below. */
const oneLine = 3

/** A flex container ignores it. */
const secondLine = { gridColumn: '1 / -1', gridRow: 2 }

/** The linked pages; at least page 1, even without pages. */
export function pagesAround(current: number, total: number) {
  const center = Math.min(current, Math.max(1, total))
  const first = Math.max(1, center - reach)
  const last = Math.max(1, Math.min(total, center + reach))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

type Props = {
  current: number
  total: number
  /** `label` names the navigation, `page` one of its links. */
  texts: { label: string; previous: string; next: string; page: (page: number) => string }
  link: (page: number, link: { className: string; label?: string; children: string }) => ReactNode
}

export function Pagination({ current, total, texts, link }: Props) {
  // Past the last page, Previous leads to the last page.
  const previous = Math.min(current - 1, Math.max(1, total))
  const step = (page: number, isEnabled: boolean, children: string) =>
    isEnabled ? (
      link(page, { className: buttonClass(), children })
    ) : (
      <span aria-hidden className={buttonClass('unavailable')}>
        {children}
      </span>
    )

  return (
    <nav
      aria-label={texts.label}
      className={total > oneLine ? 'grid grid-cols-2 gap-1 sm:flex' : 'flex flex-wrap gap-1'}
    >
      {step(previous, previous >= 1, texts.previous)}
      <ul className="flex flex-wrap gap-1" style={secondLine}>
        {pagesAround(current, total).map((page) => (
          <li key={page}>
            {page === current ? (
              <span aria-current="page" className={buttonClass('current')}>
                <span className="sr-only">{texts.page(page)}</span>
                <span aria-hidden>{page}</span>
              </span>
            ) : (
              link(page, {
                className: buttonClass('quiet'),
                label: texts.page(page),
                children: `${page}`,
              })
            )}
          </li>
        ))}
      </ul>
      {step(current + 1, current < total, texts.next)}
    </nav>
  )
}
