import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { buttonClass } from '../button.tsx'

/** How many pages are linked on either side of the current one. */
const reach = 3

/** The same on a phone, which has room for one row of buttons. */
const phoneReach = 2

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
  link: (
    page: number,
    link: { className: string; label?: string; children: ReactNode },
  ) => ReactNode
}

export function Pagination({ current, total, texts, link }: Props) {
  // Past the last page, Previous leads to the last page.
  const previous = Math.min(current - 1, Math.max(1, total))
  const step = (page: number, isEnabled: boolean, text: string, Icon: typeof ChevronLeft) => {
    const children = (
      <>
        <Icon className="size-4 sm:hidden" aria-hidden />
        <span className="max-sm:sr-only">{text}</span>
      </>
    )
    return isEnabled ? (
      link(page, { className: buttonClass(), children })
    ) : (
      <span aria-hidden className={buttonClass('unavailable')}>
        {children}
      </span>
    )
  }

  return (
    <nav aria-label={texts.label} className="flex flex-wrap justify-center gap-1 sm:justify-start">
      {step(previous, previous >= 1, texts.previous, ChevronLeft)}
      <ul className="flex flex-wrap gap-1">
        {pagesAround(current, total).map((page) => (
          <li
            key={page}
            className={Math.abs(page - current) > phoneReach ? 'max-sm:hidden' : undefined}
          >
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
      {step(current + 1, current < total, texts.next, ChevronRight)}
    </nav>
  )
}
