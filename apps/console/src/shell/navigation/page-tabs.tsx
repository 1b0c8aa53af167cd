import { Link, useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'

const tabClass =
  'inline-flex h-11 items-center whitespace-nowrap border-b-2 border-transparent px-2 text-muted transition-colors hover:text-fg aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-fg'

/** In pixels. */
const maxFade = 32

/** Fades out the ends of the list that are scrolled out of view. */
function updateFades(list: HTMLElement) {
  const { scrollLeft, scrollWidth, clientWidth } = list
  const setFade = (end: string, hidden: number) =>
    list.style.setProperty(`--fade-${end}`, `${Math.min(hidden, maxFade)}px`)
  setFade('start', scrollLeft)
  setFade('end', scrollWidth - clientWidth - scrollLeft)
}

function centerCurrentTab(list: HTMLElement) {
  const tab = list.querySelector<HTMLElement>('[aria-current=page]')
  // `scrollIntoView` would scroll the page too.
  if (tab) list.scrollLeft = tab.offsetLeft + tab.offsetWidth / 2 - list.clientWidth / 2
}

/**
 * Links to the pages of one area or resource, in one row that scrolls where it is too narrow.
 * `label` names the group for screen readers.
 */
export function PageTabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { to: string; name: string }[]
}) {
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current tab
  useLayoutEffect(() => {
    const { current } = list
    if (!current) return
    let isFirst = true
    // Called before the next paint, when the browser has laid out the page anyway.
    const observer = new ResizeObserver(() => {
      if (isFirst) centerCurrentTab(current)
      isFirst = false
      updateFades(current)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [pathname])
  return (
    <nav aria-label={label} className="min-w-0 border-b border-line">
      <ul
        ref={list}
        onScroll={({ currentTarget }) => updateFades(currentTarget)}
        className="scroll-fade relative -mb-px flex overflow-x-auto overflow-y-hidden [scrollbar-width:none] md:gap-1"
      >
        {tabs.map(({ to, name }) => (
          <li key={to} className="shrink-0">
            <Link
              to={to}
              activeOptions={{ exact: true }}
              aria-current={pathname === to ? 'page' : undefined}
              className={tabClass}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
