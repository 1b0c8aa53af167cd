import { Link, useLocation } from '@tanstack/react-router'

const tabClass =
  'inline-flex h-11 items-center border-b-2 border-transparent px-3 text-muted transition-colors hover:text-fg aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-fg'

/** Links to the pages of one area or resource. `label` names the group for screen readers. */
export function PageTabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { to: string; name: string }[]
}) {
  const { pathname } = useLocation()
  return (
    <nav aria-label={label} className="border-b border-line">
      <ul className="flex flex-wrap gap-1">
        {tabs.map(({ to, name }) => (
          <li key={to}>
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
