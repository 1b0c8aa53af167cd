import { m } from '@slipway/phrases'
import { Link, useLocation } from '@tanstack/react-router'
import { paths } from '../../paths.ts'

const tabs = [
  { to: paths.billing(), name: m.invoices_overview_tab },
  { to: paths.invoices(), name: m.invoices_overview_tab_invoices },
]

const tabClass =
  'inline-flex h-11 items-center border-b-2 border-transparent px-3 text-muted transition-colors hover:text-fg aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-fg'

/** The pages of the billing area, as links with their own URLs. */
export function BillingTabs() {
  const { pathname } = useLocation()
  return (
    <nav aria-label={m.invoices_overview_tabs()} className="border-b border-line">
      <ul className="flex flex-wrap gap-1">
        {tabs.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} aria-current={pathname === to ? 'page' : undefined} className={tabClass}>
              {name()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
